import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import type { Issuer } from '../platform/config/config.js';
import { UnavailableError } from '../platform/errors/errors.js';
import type { Log } from '../platform/logging/log.js';
import type { Outbound } from '../platform/outbound/outbound.js';

/** Verifies tokens of an external issuer. */
export interface ExternalIssuer {
  /** Returns the verified email of a valid token, in lower case; null for any other token. */
  emailOf(token: string): Promise<string | null>;
}

/** Public-key signatures only: with a shared secret, other services of the issuer could create tokens for our users. */
const ALGORITHMS = ['RS256', 'ES256'];
const TIMEOUT_MS = 5_000;
/** Keys are loaded again after CACHE_MS, and for an unknown key id at most every COOLDOWN_MS. */
const CACHE_MS = 600_000;
const COOLDOWN_MS = 30_000;

/** Errors of the key server, not of the token. The caller may retry. */
const KEY_FAULTS = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']);

/** Creates the verifier for the configured issuer. It loads the keys of the issuer when the first token arrives. */
export function createExternalIssuer(
  { jwksUrl, issuer, audience }: Issuer,
  outbound: Outbound,
  log: Log,
): ExternalIssuer {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    [customFetch]: outbound.fetch,
    timeoutDuration: TIMEOUT_MS,
    cacheMaxAge: CACHE_MS,
    cooldownDuration: COOLDOWN_MS,
  });
  return {
    async emailOf(token) {
      try {
        const { payload } = await jwtVerify(token, keys, {
          algorithms: ALGORITHMS,
          issuer,
          audience,
          requiredClaims: ['exp', 'email', 'email_verified'],
        });
        const { email, email_verified: isVerified } = payload;
        return isVerified === true && typeof email === 'string' ? email.trim().toLowerCase() : null;
      } catch (error) {
        if (error instanceof errors.JOSEError && !KEY_FAULTS.has(error.code)) return null;
        log.warn({ reason: (error as Error).message }, 'keys of the external issuer not loaded');
        throw new UnavailableError('The keys of the token issuer cannot be loaded. Try again later.');
      }
    },
  };
}
