import type { CookieOptions, Request, Response } from 'express';
import { REFRESH_DAYS } from '../../modules/accounts/sessions/session.service.js';
import { isHttps } from '../middleware/security-headers.js';

const DAY_MS = 86_400_000;
const MAX_VALUE_CHARACTERS = 4_096;

/** A cookie of this host that scripts cannot read. */
export interface HostCookie {
  /** Part of its name. Empty: the cookie of the session. */
  purpose: '' | 'oidc';
  /** `lax`: the browser also sends it when another site links to the service. */
  sameSite: 'strict' | 'lax';
}

export const SESSION_COOKIE: HostCookie = { purpose: '', sameSite: 'strict' };

/** Puts the refresh token of a session into its cookie. */
export function setSessionCookie(request: Request, response: Response, refresh: string): void {
  setHostCookie(SESSION_COOKIE, { request, response, value: refresh, maxAge: REFRESH_DAYS * DAY_MS });
}

export function setHostCookie(
  cookie: HostCookie,
  { request, response, value, maxAge }: { request: Request; response: Response; value: string; maxAge: number },
): void {
  response.cookie(nameOf(cookie, request), value, { ...optionsOf(cookie, request), maxAge });
}

export function clearHostCookie(cookie: HostCookie, request: Request, response: Response): void {
  response.clearCookie(nameOf(cookie, request), optionsOf(cookie, request));
}

/** Returns the value of the cookie. Null: absent, or not a text that the service issues. */
export function readHostCookie(cookie: HostCookie, request: Request): string | null {
  const name = nameOf(cookie, request);
  for (const pair of request.get('cookie')?.split(';') ?? []) {
    const [key = '', value = ''] = pair.trim().split('=');
    if (key === name && value.length <= MAX_VALUE_CHARACTERS && /^[\w-]+$/.test(value)) return value;
  }
  return null;
}

function optionsOf({ sameSite }: HostCookie, request: Request): CookieOptions {
  return { httpOnly: true, secure: isHttps(request), sameSite, path: '/' };
}

/**
 * Over HTTPS the prefix `__Host-` binds the cookie to this host. Browsers accept it only with `Secure`, which some
 * refuse over plain HTTP even on localhost. There the name contains the port, because cookies of all ports are shared.
 */
function nameOf({ purpose }: HostCookie, request: Request): string {
  const name = purpose === '' ? 'scenarium' : `scenarium-${purpose}`;
  if (isHttps(request)) return `__Host-${name}`;
  const [, port = '80'] = /:(\d{1,5})$/.exec(request.get('host') ?? '') ?? [];
  return `${name}-${port}`;
}
