import { storeApiKey } from '../identity/api-key.js';
import type { PageSession } from '../identity/session.js';

/** The security requirements of an OpenAPI document, by path and method. */
export type Operations = Record<string, Record<string, { security?: Record<string, unknown>[] }>>;

const KEY_HEADER = 'X-Api-Key';
/** Name of the security scheme for access tokens of sessions in /openapi.json. */
const SESSION_SCHEME = 'session';

/**
 * Returns a `fetch` that adds the identity of the caller. The token of an open session replaces the API key where the
 * operation accepts sessions. An API key that is sent is stored for the next visit and for GraphiQL.
 */
export function fetchAsCaller(operations: Operations, currentSession: () => PageSession | null): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const access = acceptsSession(operations, request) ? await currentSession()?.access() : null;
    const apiKey = request.headers.get(KEY_HEADER);
    if (access) {
      request.headers.delete(KEY_HEADER);
      request.headers.set('Authorization', `Bearer ${access}`);
    } else if (apiKey !== null && apiKey !== '') storeApiKey(apiKey);
    return fetch(request);
  };
}

/** Returns true if the operation of the request accepts the token of a session. */
export function acceptsSession(operations: Operations, { method, url }: Pick<Request, 'method' | 'url'>): boolean {
  const { origin, pathname } = new URL(url, globalThis.location?.href);
  if (globalThis.location && origin !== location.origin) return false;
  const path = Object.keys(operations)
    .filter(each => patternOf(each).test(pathname))
    // Fixed paths take precedence: `/runs/latest/` over `/runs/{id}/`.
    .sort((one, other) => one.split('{').length - other.split('{').length)[0];
  const operation = path === undefined ? undefined : operations[path]?.[method.toLowerCase()];
  return operation?.security?.some(scheme => SESSION_SCHEME in scheme) ?? false;
}

/** Matches the paths of requests for a path of the document: `/runs/{id}/` matches `/runs/5/`. */
function patternOf(path: string): RegExp {
  const parts = path.split(/\{[^{}]*\}/).map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}
