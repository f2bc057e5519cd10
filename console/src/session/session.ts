import { useSyncExternalStore } from 'react';

/** Who uses this page. `key`: an API key. `session`: a login that the cookie of `/console/session` renews. */
export type Session =
  | { status: 'starting' }
  | { status: 'signed-out'; notice: string | null }
  | { status: 'signed-in'; by: 'key' | 'session' };

/** A key lasts as long as its tab. Nothing else that grants access is stored where scripts can read it. */
const STORAGE_KEY = 'scenarium:console-key';
const ROUTE = '/console/session';
/** The route refuses requests without this header, which other sites cannot send. */
const HEADERS = { 'X-Scenarium-Console': '1', 'Content-Type': 'application/json' };
/** An access token is renewed this long before it expires. */
const RENEWAL_MARGIN_MS = 30_000;

let session: Session = { status: 'starting' };
let apiKey: string | null = null;
/** The access token of the session, which only the memory of the page contains. */
let access: { token: string; freshUntil: number } | null = null;
/** The last user of this page. Another user must not continue with what this one has loaded and edited. */
let userId: string | null = null;
/** The renewal in progress, which concurrent requests share. */
let renewal: Promise<void> | null = null;
const listeners = new Set<() => void>();

function setSession(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

export function currentSession(): Session {
  return session;
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSession(): Session {
  return useSyncExternalStore(onSessionChange, currentSession);
}

/** Finds the key of this tab or the session of the cookie. Throws if the service cannot be reached. */
export async function startSession(): Promise<void> {
  apiKey = sessionStorage.getItem(STORAGE_KEY);
  if (apiKey !== null) return setSession({ status: 'signed-in', by: 'key' });
  await renew();
  setSession(access ? { status: 'signed-in', by: 'session' } : { status: 'signed-out', notice: null });
}

/** The headers that identify the user. Renews the access token if it is about to expire. */
export async function credentials(): Promise<Record<string, string>> {
  if (apiKey !== null) return { 'X-Api-Key': apiKey };
  if (access !== null && Date.now() >= access.freshUntil) await renewOnce();
  return access === null ? {} : { Authorization: `Bearer ${access.token}` };
}

/** Whether the page has a session that the cookie may renew. */
export function isRenewable(): boolean {
  return session.status === 'signed-in' && session.by === 'session';
}

/** Renews the access token that the service has refused. Returns false if the user has no session in this browser any more. */
export async function renewSession(): Promise<boolean> {
  await renewOnce();
  return access !== null;
}

/** Exchanges a refresh token of the GraphQL API for the cookie that survives a reload. */
export async function adoptSession(refresh: string): Promise<void> {
  await renew(refresh);
  if (access === null) throw new Error('The service did not accept the session. Sign in again.');
  setSession({ status: 'signed-in', by: 'session' });
}

/** Signs in by an API key that the service has accepted. */
export function signInByKey(key: string): void {
  // A pasted key may contain spaces and line breaks, which a header cannot contain.
  apiKey = key.replace(/[^\x21-\x7e]/g, '');
  sessionStorage.setItem(STORAGE_KEY, apiKey);
  setSession({ status: 'signed-in', by: 'key' });
}

/** Signs out here at once. The session itself ends when the service has the request. */
export async function signOut(): Promise<void> {
  const isSession = access !== null;
  endLocally(null);
  if (isSession) await fetch(ROUTE, { method: 'DELETE', headers: HEADERS, keepalive: true }).catch(() => undefined);
}

/** Deletes the credentials of this page, for example after the service has refused them. */
export function endLocally(notice: string | null): void {
  if (session.status === 'signed-out') return;
  apiKey = null;
  access = null;
  sessionStorage.removeItem(STORAGE_KEY);
  setSession({ status: 'signed-out', notice });
}

async function renewOnce(): Promise<void> {
  renewal ??= renew().finally(() => {
    renewal = null;
  });
  await renewal;
}

/** Requests an access token for the session of the cookie, or for a new one with `refresh`. `access` is null if there is no session. */
async function renew(refresh?: string): Promise<void> {
  const body = JSON.stringify(refresh === undefined ? {} : { refresh });
  const response = await fetch(ROUTE, { method: 'POST', headers: HEADERS, body });
  if (!response.ok) throw new Error(`The service answered ${response.status}. Try again in a moment.`);
  const { access: token } = (await response.json()) as { access: string | null };
  const claims = token === null ? null : claimsOf(token);
  const isOtherUser = refresh === undefined && userId !== null && claims?.sub !== userId;
  access = token === null || claims === null || isOtherUser ? null : { token, freshUntil: freshUntilOf(claims) };
  if (access !== null) userId = claims?.sub ?? null;
}

interface Claims {
  sub: string;
  /** Times in seconds since 1970. */
  iat: number;
  exp: number;
}

function claimsOf(token: string): Claims {
  const [, payload = ''] = token.split('.');
  return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Claims;
}

/**
 * The time of this computer until which a token is used, in milliseconds since 1970. The lifetime is computed from two times of the
 * service, because the clocks may differ.
 */
function freshUntilOf({ iat, exp }: Claims): number {
  return Date.now() + (exp - iat) * 1_000 - RENEWAL_MARGIN_MS;
}
