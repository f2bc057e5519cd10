import type { Database } from '../../platform/database/database.js';

/** Each run has copies of up to 200 messages and of all variables that they name. */
const BATCH = 20;

/**
 * Ended runs that nobody has changed within the time to live: a run that was edited after its end serves as a template.
 * A workflow run that started one and has not ended yet may still read its outcome.
 */
const LOCK = `
  select r.id from scenario_run r
   where r.finished_at is not null and r.expired_at is null and r.updated_at < now() - make_interval(days => $1)
     and not exists (select from workflow_run w where w.id = r.parent_run_id and w.run_finished_at is null)
   order by r.updated_at limit ${BATCH} for update of r skip locked`;

/** Messages before the variables that they loop over. */
const PARTS = ['scenario', 'message', 'prompt', 'variable'];

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
      const ids = (await sql.query<{ id: number }>(LOCK, [this.ttlDays])).map(({ id }) => id);
      if (ids.length === 0) return 0;
      await sql.query('delete from scenario_run_journal where run_id = any($1::int[])', [ids]);
      await sql.query('delete from scenario_run_file where run_id = any($1::int[])', [ids]);
      for (const part of PARTS) await sql.query(`delete from ${part} where scenariorun_id = any($1::int[])`, [ids]);
      await sql.query(
        `update scenario_run
            set expired_at = now(), final_result = null, local_variables = null, processed_messages = null,
                inserted_variables = '[]'
          where id = any($1::int[])`,
        [ids],
      );
      return ids.length;
    });
  }
}
