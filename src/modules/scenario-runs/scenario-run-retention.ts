import type { Database, Sql } from '../../platform/database/database.js';
import { anyInt, expression, NOW, queries } from '../../platform/database/typed-queries.js';
import { deleteScenarioCopies } from '../scenarios/scenario-copies.js';
import type { ScenarioRunTables } from './scenario-run-tables.js';

/** Each run has copies of up to 200 messages and of all variables that they name. */
const BATCH = 20;

/** Drops the results of expired runs: outcome, inserted values, journal, copies and images. The row and the ledger stay. */
export class ScenarioRunRetention {
  constructor(
    private readonly database: Database,
    private readonly ttlDays: number,
  ) {}

  /** Safe to run twice, and beside itself in another process. */
  async run(): Promise<void> {
    while ((await this.#clearSome()) === BATCH);
  }

  #clearSome(): Promise<number> {
    return this.database.transaction(async sql => {
      const ids = await expiredRuns(sql, this.ttlDays);
      if (ids.length === 0) return 0;
      const tables = queries<ScenarioRunTables>(sql);
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
 * Ended runs that were not changed within the time to live: a run that was edited after its end serves as a template.
 * A workflow run that started one and has not ended yet may still read its outcome.
 */
async function expiredRuns(sql: Sql, ttlDays: number): Promise<number[]> {
  const rows = await queries<ScenarioRunTables>(sql)
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
