import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import { deleteInBatches } from '../../platform/sql/delete-in-batches.js';
import type { ConnectionTables } from './connection-tables.js';

/** A use is recorded once in this time for each connection, workflow and user. */
const INTERVAL_MS = 60_000;
const MAX_CACHED = 10_000;
const MAX_AGE_DAYS = 90;

/** A use of a connection. Ids are 0 if there is none. */
export interface ConnectionUseRecord {
  connectionId: number;
  workflowId: number;
  userId: number;
  /** Null: a test. */
  runId: string | null;
}

/** Records which user used a connection in which workflow. */
export class ConnectionUses {
  readonly #recent = new LRUCache<string, true>({ max: MAX_CACHED, ttl: INTERVAL_MS });

  constructor(private readonly database: Database) {}

  async record(use: ConnectionUseRecord): Promise<void> {
    const { connectionId, workflowId, userId, runId } = use;
    const key = `${connectionId} ${workflowId} ${userId}`;
    if (this.#recent.has(key)) return;
    this.#recent.set(key, true);
    await queryBuilder<ConnectionTables>(this.database)
      .insertInto('connection_use')
      .columns(['connection_id', 'workflow_id', 'user_id', 'run_id'])
      // Selects from `connection`, so that nothing is inserted for a connection that was deleted meanwhile. The lock
      // waits for a deletion that is not committed yet.
      .expression(({ selectFrom }) =>
        selectFrom('connection')
          .select([
            'id',
            expression<number>`${workflowId}::int`.as('workflow_id'),
            expression<number>`${userId}::int`.as('user_id'),
            expression<string | null>`${runId}::uuid`.as('run_id'),
          ])
          .where('id', '=', connectionId)
          .forKeyShare(),
      )
      .onConflict(conflict =>
        conflict.columns(['connection_id', 'workflow_id', 'user_id']).doUpdateSet({ run_id: runId, last_used_at: NOW }),
      )
      .execute();
  }

  /** Deletes entries without a recent use. Safe to repeat and to run concurrently. */
  deleteOld(): Promise<unknown> {
    return deleteInBatches(rows =>
      queryBuilder<ConnectionTables>(this.database)
        .deleteFrom('connection_use')
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('connection_use')
            .select('id')
            .where('last_used_at', '<', expression<Date>`now() - make_interval(days => ${MAX_AGE_DAYS})`)
            .limit(rows)
            .forUpdate()
            .skipLocked(),
        )
        .returning('id')
        .execute(),
    );
  }
}
