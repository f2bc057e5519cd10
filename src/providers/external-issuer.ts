import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import type { Issuer } from '../platform/config/config.js';
import { UnavailableError } from '../platform/errors/errors.js';
import type { Log } from '../platform/logging/log.js';
import type { Outbound } from '../platform/outbound/outbound.js';

/** Reads the tokens of an issuer other than this service. */
export interface ExternalIssuer {
  /** The verified email that a valid token names, in lower case; null for any other token. */
  emailOf(token: string): Promise<string | null>;
}

/** Signatures with a public key alone: a shared secret would let the issuer's other services speak for our users. */
const ALGORITHMS = ['RS256', 'ES256'];
const TIMEOUT_MS = 5_000;
/** Keys are read again after this, and at an unknown key id, at most this often. */
const CACHE_MS = 600_000;
const COOLDOWN_MS = 30_000;

/** What is wrong with the keys, not with the token: the caller may come again. */
const KEY_FAULTS = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']);

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
        log.warn({ reason: (error as Error).message }, 'the keys of the external issuer cannot be read');
        throw new UnavailableError('The issuer of this token cannot be asked for its keys.');
      }
    },
  };
}
