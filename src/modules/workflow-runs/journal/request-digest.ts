import type { Vault } from '../../../platform/crypto/crypto.js';

/** 128 bits cannot collide by chance and keep journals small. */
const DIGEST_BYTES = 16;

/**
 * Returns a function that hashes a resolved request for the journal: HMAC-SHA-256 with the key of the service, truncated.
 * Without the key, a hash reveals nothing about secrets in the request.
 */
export function requestDigest(vault: Vault): (request: string) => string {
  return request =>
    vault.digest(`workflow_run_journal:request:${request}`).subarray(0, DIGEST_BYTES).toString('base64url');
}
