import { memoize } from '../memory/memoize.js';
import { OutboundError } from './errors.js';

/** Where a call goes. */
export interface Target {
  /** All of it, as it is written. */
  readonly url: string;
  readonly origin: string;
  /** With the query. */
  readonly path: string;
}

/**
 * Model providers are called at the same address all the time. Throws an OutboundError for what is no absolute http or https
 * URL, or bears credentials.
 */
export const targetOf = memoize(url => parseTarget(url));

/** The same, of what may stand relative to `base`. */
export function parseTarget(text: string, base?: string): Target {
  const url = URL.parse(text, base);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && !url.username && !url.password)
    return { url: url.href, origin: url.origin, path: url.pathname + url.search };
  throw new OutboundError(
    'bad_url',
    'The URL is not allowed. Allowed: absolute http and https URLs without credentials.',
  );
}
