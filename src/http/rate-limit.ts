import type { ServerResponse } from 'node:http';
import { WINDOW_SECONDS } from '../resources/accounts/key-gate.js';
import type { Allowance } from '../resources/accounts/passage.js';

/** Every name in use: the headers of the IETF draft, and the older ones that most clients read. */
export const RATE_LIMIT_HEADERS = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

export function setRateLimitHeaders(response: ServerResponse, allowance: Allowance): void {
  const { limit, remaining, resetSeconds, resetAt } = allowance;
  response.setHeader('RateLimit-Policy', `"key";q=${limit};w=${WINDOW_SECONDS}`);
  response.setHeader('RateLimit', `"key";r=${remaining};t=${resetSeconds}`);
  response.setHeader('X-RateLimit-Limit', String(limit));
  response.setHeader('X-RateLimit-Remaining', String(remaining));
  response.setHeader('X-RateLimit-Reset', String(resetAt));
}
