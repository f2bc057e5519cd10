import express, { type Request, type Response } from 'express';
import { restErrors } from '../../../rest-compat/runtime/errors.js';
import { sendRestError } from '../../../rest-compat/runtime/send-error.js';
import type { OidcSignInService, SignInProblem } from '../../modules/accounts/oidc/oidc-sign-in.service.js';
import { OIDC_CALLBACK_PATH, OIDC_START_PATH } from '../../modules/accounts/oidc/paths.js';
import { SIGN_IN_MINUTES } from '../../modules/accounts/oidc/sealed-sign-in.js';
import type { LoginClient } from '../../modules/accounts/sessions/session.service.js';
import type { ClientAddress } from '../client-address.js';
import {
  clearHostCookie,
  type HostCookie,
  readHostCookie,
  setHostCookie,
  setSessionCookie,
} from './console-cookies.js';

export interface OidcRoutesOptions {
  /** Null: not configured. */
  oidc: OidcSignInService | null;
  addressOf: ClientAddress;
}

/** The issuer is another site, which redirects back: a strict cookie would be missing then. */
const STARTED: HostCookie = { purpose: 'oidc', sameSite: 'lax' };
const ROUTES = [OIDC_START_PATH, OIDC_CALLBACK_PATH];

/**
 * The sign-in at an OpenID Connect issuer. A browser opens the start route, the issuer redirects it to the callback route,
 * and that one to a screen of the console. After a failure this is the sign-in screen with the parameter `problem`.
 */
export function oidcRoutes({ oidc, addressOf }: OidcRoutesOptions): express.Router {
  const router = express.Router();
  if (oidc === null) return router;
  const clientOf = (request: Request): LoginClient => ({
    address: addressOf(request),
    userAgent: request.get('user-agent'),
  });
  router.use(ROUTES, (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    // HEAD too would use the code up.
    if (request.method === 'GET' || request.method === 'OPTIONS') return next();
    sendRestError(response, { ...restErrors.METHOD_NOT_ALLOWED, allow: ['GET'] });
  });
  router.get(OIDC_START_PATH, async (request, response) => {
    const { next } = request.query;
    const result = await oidc.start(typeof next === 'string' ? next : '/', clientOf(request));
    if ('problem' in result) return showProblem(response, result.problem);
    setHostCookie(STARTED, { request, response, value: result.sealed, maxAge: SIGN_IN_MINUTES * 60_000 });
    response.redirect(303, result.url);
  });
  router.get(OIDC_CALLBACK_PATH, async (request, response) => {
    const query = request.originalUrl.replace(/^[^?]*\??/, '');
    const sealed = readHostCookie(STARTED, request);
    clearHostCookie(STARTED, request, response);
    const result = await oidc.finish(query, sealed, clientOf(request));
    if ('problem' in result) return showProblem(response, result.problem);
    setSessionCookie(request, response, result.session.refresh);
    response.redirect(303, result.next);
  });
  return router;
}

function showProblem(response: Response, problem: SignInProblem): void {
  response.redirect(303, `/sign-in?problem=${problem}`);
}
