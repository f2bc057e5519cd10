import type { AuthKind } from './route.js';

/** `WWW-Authenticate` of a 401. A route that needs no credentials may still be sent wrong ones. */
export const challenges: Record<AuthKind, string> = {
  API_KEY: 'X-Api-Key',
  API_KEY_ALONE: 'X-Api-Key',
  NONE: 'X-Api-Key',
  BEARER: 'Bearer',
  SERVICE: 'Bearer',
};
