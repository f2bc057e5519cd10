import { createHash } from 'node:crypto';
import type { McpClientCredentials, McpServer } from '../../engine/ports.js';

const MAX_TOKENS = 1_000;

/** An access token of an MCP server for client credentials. */
export interface AccessToken {
  readonly value: string;
  /** The scopes of the request, separated by spaces; undefined: none were requested. */
  readonly scope: string | undefined;
  /** Milliseconds since the epoch; Infinity if the server named no lifetime. */
  readonly expiresAt: number;
}

/** Access tokens of MCP servers in memory. Concurrent sessions share one token request. */
export class TokenCache {
  readonly #tokens = new Map<string, Promise<AccessToken>>();

  /** Returns the cached token, waiting for a pending request; undefined if there is none or it has expired. */
  async current(key: string): Promise<AccessToken | undefined> {
    const token = await this.#tokens.get(key)?.catch(() => undefined);
    return token && token.expiresAt > Date.now() ? token : undefined;
  }

  /** Returns a token other than `rejected`: one that another session has obtained meanwhile, or a new one. */
  async renew(
    key: string,
    rejected: AccessToken | undefined,
    request: () => Promise<AccessToken>,
  ): Promise<AccessToken> {
    for (;;) {
      const pending = this.#tokens.get(key);
      const token = await this.current(key);
      if (token && token.value !== rejected?.value) return token;
      // Otherwise another session has requested a token meanwhile, for which the loop waits.
      if (this.#tokens.get(key) === pending) return this.#store(key, request());
    }
  }

  #store(key: string, token: Promise<AccessToken>): Promise<AccessToken> {
    this.#tokens.delete(key);
    const [oldest] = this.#tokens.keys();
    if (oldest !== undefined && this.#tokens.size >= MAX_TOKENS) this.#tokens.delete(oldest);
    this.#tokens.set(key, token);
    token.catch(() => {
      if (this.#tokens.get(key) === token) this.#tokens.delete(key);
    });
    return token;
  }
}

/** Returns the cache key. It contains the secret, so a token is shared only with callers that know the secret. */
export function tokenKey({ endpointUrl }: McpServer, credentials: McpClientCredentials): string {
  const { clientId, clientSecret, privateKey, algorithm, scope, issuer } = credentials;
  const parts = [endpointUrl, issuer, clientId, clientSecret, privateKey, algorithm, scope];
  return createHash('sha256')
    .update(JSON.stringify(parts.map(part => part ?? null)))
    .digest('hex');
}
