import type { RequestContext as BaseContext } from '../../platform/requests/context.js';
import type { Viewer } from './viewer.js';

/** The request context of resolvers. */
export type RequestContext = BaseContext<Viewer>;
