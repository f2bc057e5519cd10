import { storeApiKey } from '../identity/api-key.js';
import type { LoggedIn } from '../identity/session.js';

/** The part of an OpenAPI document that says who may call: operations by path and method. */
export type Operations = Record<string, Record<string, { security?: Record<string, unknown>[] }>>;

const KEY_HEADER = 'X-Api-Key';
/** The scheme of /openapi.json for the access token of a session. */
const SESSION = 'session';

/**
 * Sends what is tried. An open session goes before the key wherever an operation takes one; a key that a request was tried
 * with is kept for the next visit and for GraphiQL.
 */
export function fetchAsCaller(operations: Operations, session: () => LoggedIn | null): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const access = takesSession(operations, request) ? await session()?.access() : null;
    const apiKey = request.headers.get(KEY_HEADER);
    if (access) {
      request.headers.delete(KEY_HEADER);
      request.headers.set('Authorization', `Bearer ${access}`);
    } else if (apiKey !== null && apiKey !== '') storeApiKey(apiKey);
    return fetch(request);
  };
}

export function takesSession(operations: Operations, { method, url }: Pick<Request, 'method' | 'url'>): boolean {
  const { origin, pathname } = new URL(url, globalThis.location?.href);
  if (globalThis.location && origin !== location.origin) return false;
  const path = Object.keys(operations)
    .filter(each => patternOf(each).test(pathname))
    // One without parameters goes before one that has some: `/runs/latest/` and `/runs/{id}/`.
    .sort((one, other) => one.split('{').length - other.split('{').length)[0];
  const operation = path === undefined ? undefined : operations[path]?.[method.toLowerCase()];
  return operation?.security?.some(scheme => SESSION in scheme) ?? false;
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\{[^{}]*\}/).map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}
