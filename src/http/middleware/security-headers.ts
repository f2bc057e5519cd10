import { isBelowRest } from '../../../rest-compat/runtime/handler.js';
import type { Middleware } from './middleware.js';

/** Headers of API responses: browsers must not execute, frame or sniff them. */
const HEADERS = [
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
] as const;

const YEAR_SECONDS = 31_536_000;
const HSTS = `max-age=${YEAR_SECONDS}; includeSubDomains`;
/** Responses of the API may contain data of one caller, so they must not be cached. */
const isApi = (url: string) => isBelowRest(url) || /^\/(api|v1|graphql)([/?]|$)/.test(url);

/** Sets the security headers of every response. Pages override the content security policy. */
export const securityHeaders: Middleware = (request, response, next) => {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  if (isApi(request.url ?? '')) response.setHeader('cache-control', 'no-store');
  if (isHttps(request)) response.setHeader('strict-transport-security', HSTS);
  next();
};

/**
 * Whether the client used HTTPS, which a proxy in front of the service terminates. The header of any client is trusted, so use it only
 * for responses to the same client: browsers ignore `Strict-Transport-Security` over plain HTTP.
 */
export function isHttps({ headers }: { headers: Readonly<Record<string, unknown>> }): boolean {
  const protocol = headers['x-forwarded-proto'];
  return typeof protocol === 'string' && protocol.split(',')[0]?.trim().toLowerCase() === 'https';
}
