import express, { type Request, type Response } from 'express';
import { restErrors } from '../../../rest-compat/runtime/errors.js';
import { sendRestError } from '../../../rest-compat/runtime/send-error.js';
import type { SessionService } from '../../modules/accounts/sessions/session.service.js';
import { RateLimitedError, UnauthenticatedError } from '../../platform/errors/errors.js';
import type { ClientAddress } from '../client-address.js';
import { CONSOLE_HEADER, type Identity } from '../middleware/identity.js';
import { clearHostCookie, readHostCookie, SESSION_COOKIE, setSessionCookie } from './console-cookies.js';

export interface ConsoleSessionOptions {
  sessions: SessionService;
  identity: Identity;
  addressOf: ClientAddress;
}

export const CONSOLE_SESSION_ROUTE = '/console/session';

const MAX_BODY = '2kb';

/**
 * The session of the console in a cookie that scripts cannot read, so that a reload keeps it (ADR 0044).
 * `POST` with `{"refresh": "…"}` puts a refresh token of the GraphQL API into the cookie and uses the token up. `POST`
 * without it, and both afterwards, returns `{"access": "…"}`; null if there is no valid session. `DELETE` logs out.
 */
export function consoleSession(options: ConsoleSessionOptions): express.Router {
  const router = express.Router();
  router.use(CONSOLE_SESSION_ROUTE, (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    // Pages of other sites cannot send the header: CORS does not allow it on this route.
    if (request.method === 'OPTIONS' || request.get(CONSOLE_HEADER) === '1') return next();
    sendRestError(response, { ...restErrors.FORBIDDEN, detail: 'Only the console may use this route.' });
  });
  router.post(CONSOLE_SESSION_ROUTE, express.json({ limit: MAX_BODY }), async (request, response) => {
    try {
      const { refresh } = (request.body ?? {}) as { refresh?: unknown };
      const access = typeof refresh === 'string' ? await adopt(refresh, request, response, options) : null;
      response.json({ access: access ?? (await renew(request, response, options)) });
    } catch (error) {
      if (!(error instanceof RateLimitedError)) throw error;
      sendRestError(response, { ...restErrors.RATE_LIMITED, retryAfter: error.extensions.retryAfter });
    }
  });
  router.delete(CONSOLE_SESSION_ROUTE, async (request, response) => {
    const token = readHostCookie(SESSION_COOKIE, request);
    clearHostCookie(SESSION_COOKIE, request, response);
    if (token !== null) await options.sessions.end(token);
    response.json({ access: null });
  });
  router.all(CONSOLE_SESSION_ROUTE, (_request, response) => {
    sendRestError(response, { ...restErrors.METHOD_NOT_ALLOWED, allow: ['POST', 'DELETE'] });
  });
  return router;
}

/** Replaces the refresh token by one that only the cookie contains. */
async function adopt(refresh: string, request: Request, response: Response, options: ConsoleSessionOptions) {
  try {
    const session = await options.sessions.refresh(refresh);
    setSessionCookie(request, response, session.refresh);
    return session.access;
  } catch (error) {
    if (!(error instanceof UnauthenticatedError)) throw error;
    await countRefusal(request, response, options);
    return null;
  }
}

async function renew(request: Request, response: Response, options: ConsoleSessionOptions): Promise<string | null> {
  const token = readHostCookie(SESSION_COOKIE, request);
  if (token === null) return null;
  const access = await options.sessions.renewAccess(token);
  if (access !== null) setSessionCookie(request, response, token);
  else {
    clearHostCookie(SESSION_COOKIE, request, response);
    await countRefusal(request, response, options);
  }
  return access;
}

/** Counts an invalid token against the client address. Throws RateLimitedError beyond its limit. */
async function countRefusal(request: Request, response: Response, { identity, addressOf }: ConsoleSessionOptions) {
  await identity.contextFor({ headers: {}, address: addressOf(request), cost: 1, response });
}
