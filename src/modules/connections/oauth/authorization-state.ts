import { createHash, randomBytes } from 'node:crypto';
import type { McpOAuthClient } from '../../../engine/mcp-port.js';
import type { Vault } from '../../../platform/crypto/crypto.js';

const CONTEXT = 'connection:authorization';
/** How long a user may take to authorize a connection. */
export const STATE_MINUTES = 10;

/** The encrypted content of the parameter `state`, with which any process can complete an authorization. */
export interface AuthorizationState {
  connectionId: number;
  /** Only this user can complete it, so that no user can be led to authorize a foreign connection. */
  userId: number;
  redirectUrl: string;
  /** PKCE: the secret whose hash the authorization request contains (RFC 7636). */
  verifier: string;
  /** The settings for which the user authorizes. */
  identity: string;
  /** The client that was found out or registered, for MCP servers. Absent: that of the settings. */
  client?: McpOAuthClient;
  expiresAt: number;
}

export function newVerifier(): string {
  return randomBytes(32).toString('base64url');
}

/** The challenge of the method S256 (RFC 7636, section 4.2). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

export function sealState(vault: Vault, state: AuthorizationState): string {
  return vault.seal(JSON.stringify(state), CONTEXT);
}

/** Undefined: forged, or expired. */
export function openState(vault: Vault, sealed: string): AuthorizationState | undefined {
  try {
    const state = JSON.parse(vault.open(sealed, CONTEXT)) as AuthorizationState;
    return state.expiresAt > Date.now() ? state : undefined;
  } catch {
    return undefined;
  }
}
