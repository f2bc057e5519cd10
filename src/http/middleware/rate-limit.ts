import type { ServerResponse } from 'node:http';
import type { Allowance } from '../../modules/accounts/api-keys/auth-result.js';
import { WINDOW_SECONDS } from '../../modules/accounts/api-keys/key-authenticator.sql.js';

/** The headers of the IETF draft `draft-ietf-httpapi-ratelimit-headers` and the older ones that most clients read. */
export const RATE_LIMIT_HEADERS = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

export function setRateLimitHeaders(response: ServerResponse, allowance: Allowance): void {
  const { limit, remaining, resetSeconds, resetAt } = allowance;
  response.setHeader('ratelimit-policy', `"key";q=${limit};w=${WINDOW_SECONDS}`);
  response.setHeader('ratelimit', `"key";r=${remaining};t=${resetSeconds}`);
  response.setHeader('x-ratelimit-limit', String(limit));
  response.setHeader('x-ratelimit-remaining', String(remaining));
  response.setHeader('x-ratelimit-reset', String(resetAt));
}
