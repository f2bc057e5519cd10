import type { IncomingMessage, ServerResponse } from 'node:http';
import { RATE_LIMIT_HEADERS } from './rate-limit.js';
import type { Step } from './step.js';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** What a page may read of an answer, beside the few headers that it always may. */
const EXPOSED = [
  'X-Request-Id',
  'Retry-After',
  'Allow',
  'WWW-Authenticate',
  'Idempotent-Replayed',
  'X-Scenarium-Shortened',
  'ETag',
  ...RATE_LIMIT_HEADERS,
];
/** Browsers ask again after ten minutes, the most that all of them honour. */
const MAX_AGE_SECONDS = 600;

/**
 * Lets pages of the given origins call the API from a browser; `*` alone stands for every one. Credentials travel in
 * headers that a page sets itself, so cookies are never allowed.
 */
export function cors(origins: readonly string[]): Step {
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
  const asked = request.headers['access-control-request-headers'];
  if (asked !== undefined) response.setHeader('Access-Control-Allow-Headers', asked);
  response.setHeader('Access-Control-Max-Age', String(MAX_AGE_SECONDS));
  response.writeHead(204).end();
}
