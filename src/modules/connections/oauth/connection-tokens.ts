import { PortError } from '../../../engine/ports.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import type { ConnectionStore, OpenedConnection } from '../connection-store.js';
import { EndedGrantError, type TokenEndpoint } from './token-endpoint.js';

type Outcome = { token: string } | { error: PortError };

/** Provides valid access tokens of OAuth 2 connections. */
export class ConnectionTokens {
  /** Runs of one process that wait for the same refresh use one database connection. */
  readonly #refreshes = new Map<number, Promise<Outcome>>();

  constructor(
    private readonly database: Database,
    private readonly store: ConnectionStore,
    private readonly endpoint: TokenEndpoint,
  ) {}

  /**
   * Returns the access token, and requests a new one if it expires soon.
   * @param refused an access token that the server refused although it had not expired
   * @throws PortError when the connection is not authorized or the authorization server issues no token
   */
  async current(connection: OpenedConnection, refused?: string): Promise<string> {
    const { id, tokens } = connection;
    if (tokens && !connection.isTokenDue && tokens.accessToken !== refused) return tokens.accessToken;
    let refresh = this.#refreshes.get(id);
    if (!refresh) {
      refresh = this.database
        .transaction(sql => this.#refresh(sql, connection, refused))
        .finally(() => this.#refreshes.delete(id));
      this.#refreshes.set(id, refresh);
    }
    const outcome = await refresh;
    if ('error' in outcome) throw outcome.error;
    return outcome.token;
  }

  /** The lock on the row lets one process request a token; the others find it when they get the lock. */
  async #refresh(sql: Sql, { id, name }: OpenedConnection, refused: string | undefined): Promise<Outcome> {
    const connection = await this.store.openLocked(sql, id);
    if (!connection) return { error: new PortError('unknown_connection', 'the connection was deleted', FINAL) };
    const { tokens, isTokenDue } = connection;
    if (tokens && !isTokenDue && tokens.accessToken !== refused) return { token: tokens.accessToken };
    const grant = grantOf(connection);
    if (!grant) return { error: notAuthorized(name) };
    try {
      const issued = await this.endpoint.request(connection, grant);
      await this.store.writeTokens(sql, id, issued.tokens, issued.seconds);
      return { token: issued.tokens.accessToken };
    } catch (error) {
      if (!(error instanceof PortError)) throw error;
      // The loss of the grant is stored, so that the console shows it.
      if (error instanceof EndedGrantError) await this.store.writeTokens(sql, id, null, null);
      return { error };
    }
  }
}

const FINAL = { isFinal: true };

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
