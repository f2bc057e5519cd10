import { createHash, randomBytes } from 'node:crypto';
import type { McpOAuthClient } from '../../../engine/mcp-port.js';
import type { Vault } from '../../../platform/crypto/crypto.js';

const CONTEXT = 'connection:authorization';
/** Minutes that a user may take to authorize a connection. */
export const STATE_MINUTES = 10;

/** The encrypted content of the parameter `state`, with which any process can complete an authorization. */
export interface AuthorizationState {
  connectionId: number;
  /** Only this user can complete the authorization, so that no user can be tricked into authorizing a connection of another user. */
  userId: number;
  redirectUrl: string;
  /** PKCE: the secret whose hash the authorization request contains (RFC 7636). */
  verifier: string;
  /** Identifies the settings at the start. The authorization fails if they have changed since. */
  identity: string;
  /** The client that was discovered or registered for an MCP server. Absent: that of the settings. */
  client?: McpOAuthClient;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Creates a random verifier (RFC 7636, section 4.1). */
export function createVerifier(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the challenge of a verifier for the method S256 (RFC 7636, section 4.2). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** Encrypts a state for the parameter `state`. */
export function sealState(vault: Vault, state: AuthorizationState): string {
  return vault.seal(JSON.stringify(state), CONTEXT);
}

/** Returns the content of the parameter `state`. Undefined if it is forged or expired. */
export function openState(vault: Vault, sealed: string): AuthorizationState | undefined {
  try {
    const state = JSON.parse(vault.open(sealed, CONTEXT)) as AuthorizationState;
    return state.expiresAt > Date.now() ? state : undefined;
  } catch {
    return undefined;
  }
}
