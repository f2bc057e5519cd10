import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from './middleware.js';
import { RATE_LIMIT_HEADERS } from './rate-limit.js';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Response headers that pages may read in addition to the safelisted ones (Fetch standard). */
const EXPOSED = [
  'X-Request-Id',
  'Retry-After',
  'Allow',
  'WWW-Authenticate',
  'Idempotent-Replayed',
  'X-Scenarium-Shortened',
  'X-Scenarium-Warnings',
  'ETag',
  'Mcp-Session-Id',
  ...RATE_LIMIT_HEADERS,
];
/** Browsers cache a preflight response for this time. Ten minutes is the longest that all of them accept. */
const MAX_AGE_SECONDS = 600;

/**
 * Allows pages of the given origins to call the API from a browser; `*` allows every origin. Credentials are sent in headers that the
 * page sets, so cookies are never allowed.
 */
export function cors(origins: readonly string[]): Middleware {
  const isAny = origins.includes('*');
  return (request, response, next) => {
    if (origins.length === 0) return next();
    if (!isAny) response.appendHeader('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !(isAny || origins.includes(origin))) return next();
    response.setHeader('Access-Control-Allow-Origin', isAny ? '*' : origin);
    response.setHeader('Access-Control-Expose-Headers', EXPOSED.join(', '));
    if (isPreflight(request)) return answerPreflight(request, response);
    next();
  };
}

function isPreflight(request: IncomingMessage): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
}

function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  response.appendHeader('Vary', 'Access-Control-Request-Headers');
  response.setHeader('Access-Control-Allow-Methods', METHODS);
  const requestedHeaders = request.headers['access-control-request-headers'];
  if (requestedHeaders !== undefined) response.setHeader('Access-Control-Allow-Headers', requestedHeaders);
  response.setHeader('Access-Control-Max-Age', String(MAX_AGE_SECONDS));
  response.writeHead(204).end();
}
