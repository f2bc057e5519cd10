import { memoize } from '../memory/memoize.js';
import { OutboundError } from './errors.js';

/** The destination of a call. */
export interface Target {
  /** The complete URL as given. */
  readonly url: string;
  readonly origin: string;
  /** Includes the query. */
  readonly path: string;
}

/**
 * Parses an absolute http or https URL; cached because model providers always use the same URL. Throws an OutboundError
 * for other URLs and for URLs with credentials.
 */
export const targetOf = memoize(url => parseTarget(url));

/** Parses a URL that may be relative to `base`. Throws an OutboundError like `targetOf`. */
export function parseTarget(text: string, base?: string): Target {
  const url = URL.parse(text, base);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && !url.username && !url.password)
    return { url: url.href, origin: url.origin, path: url.pathname + url.search };
  throw new OutboundError(
    'bad_url',
    'The URL is not allowed. Allowed: absolute http and https URLs without credentials.',
  );
}
