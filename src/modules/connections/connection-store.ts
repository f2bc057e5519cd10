import type { ConnectionKind, ConnectionSummary } from '../../engine/connections/kinds.js';
import type { Vault } from '../../platform/crypto/crypto.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { anyInt, queries } from '../../platform/database/typed-queries.js';
import { Batcher } from '../../platform/sql/batcher.js';
import type { StoredSettings } from './connection-settings.js';
import { type ConnectionTables, secretContextOf } from './connection-tables.js';

/** A connection with its credentials in plaintext. It must not leave the process. */
export interface OpenedConnection {
  id: number;
  projectId: number;
  name: string;
  kind: ConnectionKind;
  settings: StoredSettings;
  secret: string | null;
  allowedHosts: readonly string[];
}

/** Reads connections for runs and checks. It checks no rights, but every connection against its project. */
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

  #open(row: SealedRow | undefined): OpenedConnection | undefined {
    if (!row) return undefined;
    const { sealed, settings, ...open } = row;
    return {
      ...open,
      settings: settings as StoredSettings,
      secret: sealed === null ? null : this.vault.open(sealed, secretContextOf(row.id)),
    };
  }

  async #readSummaries(projectIds: readonly number[]): Promise<ReadonlyMap<number, ConnectionSummary>[]> {
    const rows = await queries<ConnectionTables>(this.database)
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
  return queries<ConnectionTables>(sql)
    .selectFrom('connection')
    .select([
      ...(['id', 'project_id as projectId', 'name', 'kind', 'settings', 'sealed'] as const),
      'allowed_hosts as allowedHosts' as const,
    ]);
}
