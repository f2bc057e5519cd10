import type { Database, Sql } from '../../platform/database/database.js';
import { anyInt, expression, NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import { deleteScenarioCopies } from '../scenarios/scenario-copies.js';
import type { ScenarioRunTables } from './scenario-run-tables.js';

/** Runs for each transaction. Small, because each run has copies of up to 200 messages and their variables. */
const BATCH = 20;

/** Deletes results, inserted values, journal, copies and images of expired runs. Their rows and ledger rows stay. */
export class ScenarioRunRetention {
  constructor(
    private readonly database: Database,
    private readonly ttlDays: number,
  ) {}

  /** Clears all expired runs, in batches. Idempotent, and safe to run in several processes at once. */
  async run(): Promise<void> {
    while ((await this.#clearSome()) === BATCH);
  }

  #clearSome(): Promise<number> {
    return this.database.transaction(async sql => {
      const ids = await findExpiredRuns(sql, this.ttlDays);
      if (ids.length === 0) return 0;
      const tables = queryBuilder<ScenarioRunTables>(sql);
      await tables.deleteFrom('scenario_run_journal').where('run_id', '=', anyInt(ids)).execute();
      await tables.deleteFrom('scenario_run_file').where('run_id', '=', anyInt(ids)).execute();
      await deleteScenarioCopies(sql, ids);
      await tables
        .updateTable('scenario_run')
        .set({ expired_at: NOW, final_result: null, local_variables: null, processed_messages: null })
        .set({ inserted_variables: '[]' })
        .where('id', '=', anyInt(ids))
        .execute();
      return ids.length;
    });
  }
}

/**
 * Selects ended runs without a change within the retention time: an edited run may serve as a template for other runs.
 * Excludes runs whose parent workflow run has not ended, because it may still read their result.
 */
async function findExpiredRuns(sql: Sql, ttlDays: number): Promise<number[]> {
  const rows = await queryBuilder<ScenarioRunTables>(sql)
    .selectFrom('scenario_run as r')
    .select('r.id')
    .where('r.finished_at', 'is not', null)
    .where('r.expired_at', 'is', null)
    .where('r.updated_at', '<', expression<Date>`now() - make_interval(days => ${ttlDays})`)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('workflow_run as w')
            .select('w.id')
            .whereRef('w.id', '=', 'r.parent_run_id')
            .where('w.run_finished_at', 'is', null),
        ),
      ),
    )
    .orderBy('r.updated_at')
    .limit(BATCH)
    .forUpdate('r')
    .skipLocked()
    .execute();
  return rows.map(({ id }) => id);
}
