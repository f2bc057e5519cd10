import type { RequestContext as BaseContext } from '../../platform/requests/context.js';
import type { Viewer } from './viewer.js';

/** The context as resolvers see it. */
export type RequestContext = BaseContext<Viewer>;
