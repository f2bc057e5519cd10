import type { RawHeaders } from './headers.js';

const statuses = new Set([301, 302, 303, 307, 308]);

/** Returns the redirect location of a response. Undefined: not a redirect. */
export function redirectOf(statusCode: number, { location }: RawHeaders): string | undefined {
  return statuses.has(statusCode) && typeof location === 'string' ? location : undefined;
}
