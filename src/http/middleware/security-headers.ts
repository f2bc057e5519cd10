import type { IncomingMessage } from 'node:http';
import { isBelowRest } from '../../../rest-compat/runtime/handler.js';
import type { Step } from './step.js';

/** Headers of responses that are no pages: nothing in them may be executed, framed or guessed at. */
const HEADERS = [
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
] as const;

const YEAR_SECONDS = 31_536_000;
const HSTS = `max-age=${YEAR_SECONDS}; includeSubDomains`;
/** Answers here may hold what belongs to one caller. */
const isApi = (url: string) => isBelowRest(url) || /^\/(api|v1|graphql)([/?]|$)/.test(url);

/** The same headers on every answer; pages replace the policy by one of their own. */
export const securityHeaders: Step = (request, response, next) => {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  if (isApi(request.url ?? '')) response.setHeader('cache-control', 'no-store');
  if (isHttps(request)) response.setHeader('strict-transport-security', HSTS);
  next();
};

/** A proxy in front of the service says so; over plain HTTP browsers ignore the header anyway. */
function isHttps({ headers }: IncomingMessage): boolean {
  const protocol = headers['x-forwarded-proto'];
  return typeof protocol === 'string' && protocol.split(',')[0]?.trim().toLowerCase() === 'https';
}
