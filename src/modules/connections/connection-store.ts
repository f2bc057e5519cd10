import type { ConnectionKind, ConnectionSummary } from '../../engine/connections/kinds.js';
import type { McpOAuthClient } from '../../engine/mcp-port.js';
import type { Vault } from '../../platform/crypto/crypto.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { anyInt, expression, queryBuilder } from '../../platform/database/typed-queries.js';
import { Batcher } from '../../platform/sql/batcher.js';
import type { StoredSettings } from './connection-settings.js';
import { type ConnectionTables, secretContextOf, tokensContextOf } from './connection-tables.js';

/** The tokens of an OAuth 2 connection. */
export interface StoredTokens {
  accessToken: string;
  /** Null: a user must authorize the connection again when the access token expires, unless its kind is `oauth2_client`. */
  refreshToken: string | null;
  /** The client that was found out or registered, for MCP servers. Absent: that of the settings. */
  client?: McpOAuthClient;
  /** Scopes that a server has demanded since, separated by spaces. */
  demandedScopes?: string;
  /**
   * The process that is requesting new tokens, and until when, in milliseconds since 1970 by the clock of the database.
   * An expired lease means that the outcome of the request is unknown.
   */
  lease?: { id: string; until: number };
}

/** A connection with its credentials in plaintext. It must not leave the process. */
export interface OpenedConnection {
  id: number;
  projectId: number;
  name: string;
  kind: ConnectionKind;
  settings: StoredSettings;
  secret: string | null;
  allowedHosts: readonly string[];
  tokens: StoredTokens | null;
  /** Whether the access token must be replaced before it is used. */
  isTokenDue: boolean;
  /** When it was read, in milliseconds since 1970 by the clock of the database. */
  readAt: number;
}

/**
 * Reads connections for runs and checks, and writes their tokens. It checks no rights, and the project only in `open`. The other
 * methods take the id of a connection that the caller has opened or located.
 */
export class ConnectionStore {
  /** Concurrent checks, for example of a list of workflows, share one statement. */
  readonly #summaries: Batcher<number, ReadonlyMap<number, ConnectionSummary>>;

  constructor(
    readonly database: Database,
    readonly vault: Vault,
  ) {
    this.#summaries = new Batcher(projectIds => this.#readSummaries(projectIds), { concurrency: 2, maxBatch: 500 });
  }

  /** Returns the names and kinds of all connections of a project by id. */
  summaries(projectId: number): Promise<ReadonlyMap<number, ConnectionSummary>> {
    return this.#summaries.add(projectId);
  }

  /** Returns a connection of the project with its credentials. Undefined: the project has no such connection. */
  async open(projectId: number, id: number): Promise<OpenedConnection | undefined> {
    return this.#open(
      await openQuery(this.database).where('id', '=', id).where('project_id', '=', projectId).executeTakeFirst(),
    );
  }

  /** Reads a connection and locks its row until the transaction ends. */
  async openLocked(sql: Sql, id: number): Promise<OpenedConnection | undefined> {
    return this.#open(await openQuery(sql).where('id', '=', id).forNoKeyUpdate().executeTakeFirst());
  }

  /**
   * Replaces the tokens of a connection. Null deletes them. `seconds`: until the next refresh; null: not known; absent:
   * as before.
   */
  async writeTokens(sql: Sql, id: number, tokens: StoredTokens | null, seconds?: number | null): Promise<void> {
    const refreshAt = seconds == null ? null : expression<Date>`now() + make_interval(secs => ${seconds})`;
    await queryBuilder<ConnectionTables>(sql)
      .updateTable('connection')
      .set({
        tokens: tokens === null ? null : this.vault.seal(JSON.stringify(tokens), tokensContextOf(id)),
        ...(seconds === undefined ? {} : { refresh_at: refreshAt }),
      })
      .where('id', '=', id)
      .execute();
  }

  /** Keeps scopes that a server demands, for the next authorization. */
  async writeDemandedScopes(id: number, scopes: string): Promise<void> {
    await this.database.transaction(async sql => {
      const tokens = (await this.openLocked(sql, id))?.tokens;
      if (!tokens || tokens.demandedScopes === scopes) return;
      await this.writeTokens(sql, id, { ...tokens, demandedScopes: scopes });
    });
  }

  #open(row: SealedRow | undefined): OpenedConnection | undefined {
    if (!row) return undefined;
    const { sealed, tokens, settings, ...open } = row;
    return {
      ...open,
      settings: settings as StoredSettings,
      secret: sealed === null ? null : this.vault.open(sealed, secretContextOf(row.id)),
      tokens: tokens === null ? null : (JSON.parse(this.vault.open(tokens, tokensContextOf(row.id))) as StoredTokens),
    };
  }

  async #readSummaries(projectIds: readonly number[]): Promise<ReadonlyMap<number, ConnectionSummary>[]> {
    const rows = await queryBuilder<ConnectionTables>(this.database)
      .selectFrom('connection')
      .select(['id', 'project_id as projectId', 'name', 'kind'])
      .where('project_id', '=', anyInt(projectIds))
      .execute();
    const byProject = Map.groupBy(rows, ({ projectId }) => projectId);
    return projectIds.map(
      projectId => new Map(byProject.get(projectId)?.map(({ id, name, kind }) => [id, { name, kind }])),
    );
  }
}

type SealedRow = Awaited<ReturnType<ReturnType<typeof openQuery>['executeTakeFirstOrThrow']>>;

function openQuery(sql: Sql) {
  return queryBuilder<ConnectionTables>(sql)
    .selectFrom('connection')
    .select([
      ...(['id', 'project_id as projectId', 'name', 'kind', 'settings', 'sealed'] as const),
      ...(['allowed_hosts as allowedHosts', 'tokens'] as const),
      expression<boolean>`coalesce(refresh_at <= now(), false)`.as('isTokenDue'),
      expression<number>`(extract(epoch from now()) * 1000)::bigint`.as('readAt'),
    ]);
}
