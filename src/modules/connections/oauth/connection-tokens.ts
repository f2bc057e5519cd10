import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { PortError } from '../../../engine/ports.js';
import { waitAtMost } from '../../../platform/async/wait-at-most.js';
import { type Database, type Sql, whenReachable } from '../../../platform/database/database.js';
import { keepsTokens } from '../connection-content.js';
import type { ConnectionStore, OpenedConnection } from '../connection-store.js';
import { EndedGrantError, TIMEOUT_MS, type TokenEndpoint } from './token-endpoint.js';

/** The time for a token request and for storing its outcome. */
const LEASE_MS = TIMEOUT_MS + 4_000;
const POLL_MS = 200;
/** How long the shutdown waits for token requests. */
const SHUTDOWN_MS = TIMEOUT_MS + 1_000;

/** A refresh that this process may perform: no other process uses the refresh token meanwhile. */
interface Refresh {
  connection: OpenedConnection;
  grant: Record<string, string>;
  leaseId: string;
  /** The outcome of an earlier use of the refresh token is unknown: the server may have replaced it. */
  isUncertain: boolean;
}

/** Provides valid access tokens of OAuth 2 connections. */
export class ConnectionTokens {
  /** Runs of one process that need a token of the same connection share one refresh. */
  readonly #refreshes = new Map<number, Promise<string>>();

  constructor(
    private readonly database: Database,
    private readonly store: ConnectionStore,
    private readonly endpoint: TokenEndpoint,
  ) {}

  /**
   * Returns the access token, and requests a new one if it expires soon. Waits while the database is unreachable.
   * @param refused an access token that the server refused although it had not expired
   * @throws PortError when the connection is not authorized or the authorization server issues no token
   */
  async current(connection: OpenedConnection, refused?: string): Promise<string> {
    const { id } = connection;
    const token = usableToken(connection, refused);
    if (token !== undefined) return token;
    let refresh = this.#refreshes.get(id);
    if (!refresh) {
      refresh = this.#refresh(id, refused).finally(() => this.#refreshes.delete(id));
      this.#refreshes.set(id, refresh);
    }
    return refresh;
  }

  /** Waits until the tokens that servers are issuing are stored, but not longer than a token request takes. */
  async stop(): Promise<void> {
    const stored = Promise.allSettled(this.#refreshes.values());
    await waitAtMost(SHUTDOWN_MS, stored);
  }

  /** No database connection is in use while the authorization server answers. */
  async #refresh(id: number, refused: string | undefined): Promise<string> {
    const leaseId = randomUUID();
    for (;;) {
      const start = await this.#write(sql => this.#start(sql, id, leaseId, refused));
      if (typeof start === 'string') return start;
      const token = start && (await this.#request(start));
      if (token !== undefined) return token;
      // Another process is refreshing the tokens, or they were changed during the request.
      await setTimeout(POLL_MS);
    }
  }

  /** Returns the token if it is usable, or takes the lease. Undefined: another process has the lease. */
  async #start(
    sql: Sql,
    id: number,
    leaseId: string,
    refused: string | undefined,
  ): Promise<string | Refresh | undefined> {
    const connection = await this.store.openLocked(sql, id);
    if (!connection) throw new PortError('unknown_connection', 'the connection was deleted', FINAL);
    const token = usableToken(connection, refused);
    if (token !== undefined) return token;
    const grant = grantOf(connection);
    if (!grant) throw notAuthorized(connection.name);
    const { tokens, readAt } = connection;
    const other = tokens?.lease?.id === leaseId ? undefined : tokens?.lease;
    if (other && other.until > readAt) return undefined;
    // Without tokens there is no refresh token that two processes could use.
    if (tokens) await this.store.writeTokens(sql, id, { ...tokens, lease: { id: leaseId, until: readAt + LEASE_MS } });
    return { connection, grant, leaseId, isUncertain: other !== undefined };
  }

  /** Requests and stores tokens. Undefined: the stored tokens or the settings were changed meanwhile. */
  async #request(refresh: Refresh): Promise<string | undefined> {
    const { connection, grant } = refresh;
    try {
      const issued = await this.endpoint.request(connection, grant);
      const { accessToken, refreshToken } = issued.tokens;
      // Only the write is repeated: the server may have invalidated the refresh token that was sent.
      const isStored = await this.#write(async sql => {
        const stored = await this.store.openLocked(sql, connection.id);
        if (!stored || !isSameGrant(connection, stored)) return false;
        const { lease: _, ...others } = stored.tokens ?? {};
        await this.store.writeTokens(sql, connection.id, { ...others, accessToken, refreshToken }, issued.seconds);
        return true;
      });
      return isStored ? accessToken : undefined;
    } catch (error) {
      const isRecorded = await this.#write(sql => this.#recordFailure(sql, refresh, error));
      if (isRecorded) throw error;
      return undefined;
    }
  }

  /** Ends the lease. The loss of the grant is stored, so that the console shows it. */
  async #recordFailure(sql: Sql, { connection, leaseId, isUncertain }: Refresh, error: unknown): Promise<boolean> {
    const { id } = connection;
    const isEnded = error instanceof EndedGrantError;
    const tokens = (await this.store.openLocked(sql, id))?.tokens;
    if (tokens?.lease?.id !== leaseId) return !isEnded || !connection.tokens;
    const { lease, ...withoutLease } = tokens;
    if (!isEnded) await this.store.writeTokens(sql, id, { ...tokens, lease: { ...lease, until: 0 } });
    // The process whose refresh has no known outcome may still store its tokens.
    else if (isUncertain) await this.store.writeTokens(sql, id, withoutLease);
    else await this.store.writeTokens(sql, id, null, null);
    return true;
  }

  /** Runs a short transaction, and repeats it while the database is unreachable. */
  #write<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return whenReachable(() => this.database.transaction(work));
  }
}

const FINAL = { isFinal: true };

function usableToken({ tokens, isTokenDue }: OpenedConnection, refused: string | undefined): string | undefined {
  return tokens && !isTokenDue && tokens.accessToken !== refused ? tokens.accessToken : undefined;
}

/** Whether tokens that were issued for a connection are valid for its state now, and no others were issued since. */
function isSameGrant(before: OpenedConnection, now: OpenedConnection): boolean {
  return keepsTokens(before, now) && (before.tokens?.refreshToken ?? null) === (now.tokens?.refreshToken ?? null);
}

function grantOf({ kind, settings, tokens }: OpenedConnection): Record<string, string> | undefined {
  const { scopes } = settings;
  if (kind === 'oauth2_client') return { grant_type: 'client_credentials', ...(scopes ? { scope: scopes } : {}) };
  const refreshToken = tokens?.refreshToken ?? null;
  return refreshToken === null ? undefined : { grant_type: 'refresh_token', refresh_token: refreshToken };
}

function notAuthorized(name: string): PortError {
  const message = `the connection ${JSON.stringify(name)} is not authorized: an editor of the project must authorize it`;
  return new PortError('connection_not_authorized', message, FINAL);
}
