import type { AuthKind } from './route.js';

/** The header `WWW-Authenticate` of a 401. A request with invalid credentials also fails on a route that requires none. */
export const challenges: Record<AuthKind, string> = {
  API_KEY: 'X-Api-Key',
  API_KEY_ONLY: 'X-Api-Key',
  NONE: 'X-Api-Key',
  BEARER: 'Bearer',
  ANY_KEY: 'Bearer',
  SERVICE: 'Bearer',
};
