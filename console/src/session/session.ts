import { useSyncExternalStore } from 'react';

/** Who uses this page. `key`: an API key. `session`: a login that the cookie of `/console/session` renews. */
export type Session =
  | { status: 'starting' }
  | { status: 'signed-out'; notice: string | null }
  | { status: 'signed-in'; by: 'key' | 'session' };

/** A key lasts as long as its tab. Nothing else that grants access is stored where scripts can read it. */
const KEY = 'scenarium:console-key';
const ROUTE = '/console/session';
/** The route refuses requests without this header, which other sites cannot send. */
const HEADERS = { 'X-Scenarium-Console': '1', 'Content-Type': 'application/json' };
/** An access token is renewed this long before it expires. */
const MARGIN_MS = 30_000;

let session: Session = { status: 'starting' };
let apiKey: string | null = null;
let access: { token: string; freshUntil: number } | null = null;
let renewal: Promise<void> | null = null;
const listeners = new Set<() => void>();

function change(next: Session): void {
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
  apiKey = sessionStorage.getItem(KEY);
  if (apiKey !== null) return change({ status: 'signed-in', by: 'key' });
  await renew();
  change(access ? { status: 'signed-in', by: 'session' } : { status: 'signed-out', notice: null });
}

/** The headers that identify the user. Renews the access token if it is about to expire. */
export async function credentials(): Promise<Record<string, string>> {
  if (apiKey !== null) return { 'X-Api-Key': apiKey };
  if (access !== null && Date.now() >= access.freshUntil) {
    renewal ??= renew().finally(() => {
      renewal = null;
    });
    await renewal;
    if (access === null) endLocally('Your session has ended. Sign in again.');
  }
  return access === null ? {} : { Authorization: `Bearer ${access.token}` };
}

/** Exchanges a refresh token of the GraphQL API for the cookie that survives a reload. */
export async function adoptSession(refresh: string): Promise<void> {
  await renew(refresh);
  if (access === null) throw new Error('The service did not accept the session. Sign in again.');
  change({ status: 'signed-in', by: 'session' });
}

export function signInByKey(key: string): void {
  // A pasted key often ends in a line break, which a header cannot contain.
  apiKey = key.replace(/[^\x21-\x7e]/g, '');
  sessionStorage.setItem(KEY, apiKey);
  change({ status: 'signed-in', by: 'key' });
}

/** Signs out here at once. The session itself ends when the service has the request. */
export async function signOut(): Promise<void> {
  const isSession = access !== null;
  endLocally(null);
  if (isSession) await fetch(ROUTE, { method: 'DELETE', headers: HEADERS, keepalive: true }).catch(() => undefined);
}

/** Forgets the credentials, for example after the service has refused them. */
export function endLocally(notice: string | null): void {
  if (session.status === 'signed-out') return;
  apiKey = null;
  access = null;
  sessionStorage.removeItem(KEY);
  change({ status: 'signed-out', notice });
}

async function renew(refresh?: string): Promise<void> {
  const body = JSON.stringify(refresh === undefined ? {} : { refresh });
  const response = await fetch(ROUTE, { method: 'POST', headers: HEADERS, body });
  if (!response.ok) throw new Error(`The service answered ${response.status}. Try again in a moment.`);
  const { access: token } = (await response.json()) as { access: string | null };
  access = token === null ? null : { token, freshUntil: freshness(token) };
}

/** Until when a token may be used, in this computer's time: the clocks may differ. */
function freshness(token: string): number {
  const [, payload = ''] = token.split('.');
  const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { iat: number; exp: number };
  return Date.now() + (claims.exp - claims.iat) * 1_000 - MARGIN_MS;
}
