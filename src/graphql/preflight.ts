import type { IncomingMessage } from 'node:http';

/**
 * Headers that a page of another site can send only after a CORS preflight (Fetch standard). One of them is required of requests that
 * need no preflight otherwise: GET and multipart. Credentials that a browser adds automatically (Basic) identify no user here.
 */
export const PREFLIGHT_HEADERS = ['X-Api-Key', 'Authorization', 'Apollo-Require-Preflight', 'X-Apollo-Operation-Name'];

export const preflightRefusal = {
  message: `The request could come from a form or a link of another site. Send one of the headers ${PREFLIGHT_HEADERS.join(', ')}.`,
  extensions: { code: 'BAD_USER_INPUT' },
};

/** Whether a request carries one of the headers with a value. */
export function hasPreflightHeader({ headers }: IncomingMessage): boolean {
  return PREFLIGHT_HEADERS.some(name => Boolean(headers[name.toLowerCase()]));
}
