import type { NextFunction, Request, Response } from 'express';

/** What answers say that are no pages: nothing in them is to be executed, framed or guessed at. */
const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

const YEAR_SECONDS = 31_536_000;
const HSTS = `max-age=${YEAR_SECONDS}; includeSubDomains`;
/** Answers here may hold what belongs to one caller. */
const API = /^\/(api|v1|graphql)(\/|$)/;

/** The same headers on every answer; pages replace the policy by one of their own. */
export function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  response.set(HEADERS);
  if (API.test(request.path)) response.set('Cache-Control', 'no-store');
  if (isHttps(request)) response.set('Strict-Transport-Security', HSTS);
  next();
}

/** A proxy in front of the service says so; over plain HTTP browsers ignore the header anyway. */
function isHttps(request: Request): boolean {
  return request.secure || request.get('x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase() === 'https';
}
