import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What an answer depends on beside its address. */
const CREDENTIALS = ['X-Api-Key', 'Authorization'];

/**
 * Sets what caches need to know of a success: its tag, and for how many seconds anybody may keep it. Of an answer to a
 * known caller nobody but that caller may keep a copy, and only to ask whether it still holds. True: the caller has it
 * already, and a 304 without a body says so.
 */
export function setCacheHeaders(req: IncomingMessage, res: ServerResponse, text: string, maxAge: number): boolean {
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  const isKnown = CREDENTIALS.some(name => req.headers[name.toLowerCase()] !== undefined);
  res.setHeader('ETag', tag);
  res.setHeader('Cache-Control', isKnown ? 'private, no-cache' : `public, max-age=${maxAge}`);
  const vary = res.getHeader('Vary');
  res.setHeader('Vary', [...(vary === undefined ? [] : [String(vary)]), ...CREDENTIALS].join(', '));
  return isSame(req.headers['if-none-match'], tag);
}

function isSame(sent: string | undefined, tag: string): boolean {
  if (sent === undefined) return false;
  return sent.trim() === '*' || sent.split(',').some(one => one.trim().replace(/^W\//, '') === tag);
}
