import type { IncomingMessage } from 'node:http';
import type { Step } from './step.js';

/** What answers say that are no pages: nothing in them is to be executed, framed or guessed at. */
const HEADERS = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
] as const;

const YEAR_SECONDS = 31_536_000;
const HSTS = `max-age=${YEAR_SECONDS}; includeSubDomains`;
/** Answers here may hold what belongs to one caller. */
const API = /^\/(api|v1|graphql)([/?]|$)/;

/** The same headers on every answer; pages replace the policy by one of their own. */
export const securityHeaders: Step = (request, response, next) => {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  if (API.test(request.url ?? '')) response.setHeader('Cache-Control', 'no-store');
  if (isHttps(request)) response.setHeader('Strict-Transport-Security', HSTS);
  next();
};

/** A proxy in front of the service says so; over plain HTTP browsers ignore the header anyway. */
function isHttps({ headers }: IncomingMessage): boolean {
  const protocol = headers['x-forwarded-proto'];
  return typeof protocol === 'string' && protocol.split(',')[0]?.trim().toLowerCase() === 'https';
}
