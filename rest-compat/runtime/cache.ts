import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Request headers that a response depends on, in addition to the URL. */
const CREDENTIALS = ['X-Api-Key', 'Authorization'];

/**
 * Sets `ETag`, `Cache-Control` and `Vary` of a success. `maxAge` is in seconds and applies to requests without credentials;
 * responses to requests with credentials are `private, no-cache`. Returns whether the client already has this version, so
 * that 304 is sufficient (RFC 9110, section 13.1.2).
 */
export function setCacheHeaders(req: IncomingMessage, res: ServerResponse, text: string, maxAge: number): boolean {
  // 27 characters are 162 bits of the hash, which is sufficient to identify a version.
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  const hasCredentials = CREDENTIALS.some(name => req.headers[name.toLowerCase()] !== undefined);
  res.setHeader('ETag', tag);
  res.setHeader('Cache-Control', hasCredentials ? 'private, no-cache' : `public, max-age=${maxAge}`);
  const vary = res.getHeader('Vary');
  res.setHeader('Vary', [...(vary === undefined ? [] : [String(vary)]), ...CREDENTIALS].join(', '));
  return isCurrent(req.headers['if-none-match'], tag);
}

function isCurrent(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some(candidate => candidate.trim().replace(/^W\//, '') === tag);
}
