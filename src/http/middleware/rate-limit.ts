import type { ServerResponse } from 'node:http';
import { WINDOW_SECONDS } from '../../modules/accounts/api-keys/key-gate.sql.js';
import type { Allowance } from '../../modules/accounts/sessions/passage.js';
import { bear } from '../answer.js';

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
  bear(response, 'ratelimit-policy', `"key";q=${limit};w=${WINDOW_SECONDS}`);
  bear(response, 'ratelimit', `"key";r=${remaining};t=${resetSeconds}`);
  bear(response, 'x-ratelimit-limit', String(limit));
  bear(response, 'x-ratelimit-remaining', String(remaining));
  bear(response, 'x-ratelimit-reset', String(resetAt));
}
