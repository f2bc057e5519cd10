import { retryLockTimeouts } from '../../../platform/database/retry-lock-timeouts.js';
import type { TransactionalSql } from '../../../platform/database/sql-pool.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import { deleteInBatches } from '../../../platform/sql/delete-in-batches.js';
import { isExpired } from '../history/run-columns.js';
import type { RunTables } from '../run-tables.js';
import {
  clearRunsAfter,
  detachMonth,
  dropMonth,
  ensureMonths,
  findDetachedMonths,
  findExpiredMonths,
  recordKeptRuns,
} from './run-retention.sql.js';

const PARENTS = ['workflow_run_payload', 'workflow_run_journal'];
/**
 * Maximum number of kept runs whose rows move when their partition is dropped. A partition with more kept runs
 * remains and is cleared run by run.
 */
const MAX_MOVED_RUNS = 5_000;
/**
 * A waiting lock request blocks all later ones. Locks are therefore requested briefly, a few times, and otherwise
 * left to the next run of the task.
 */
const LOCK_RETRIES = { attempts: 3, pauseMs: 500 };

/**
 * Maintains the monthly partitions of payloads and journal: creates future ones and drops expired ones. Kept runs
 * move to the default partition, which is cleared run by run.
 */
export class RunRetention {
  constructor(
    private readonly database: TransactionalSql,
    private readonly ttlDays: number,
  ) {}

  /** Executes one pass. It is idempotent, may run concurrently and recovers from interrupted passes. */
  async run(): Promise<void> {
    await ensureMonths(this.database);
    for (const parent of PARENTS) {
      for (const month of await findExpiredMonths(this.database, parent, this.ttlDays)) {
        if ((await this.#listKept(month)) > MAX_MOVED_RUNS) await this.#clear(month);
        else await retryLockTimeouts(LOCK_RETRIES, () => detachMonth(this.database, parent, month));
      }
      for (const month of await findDetachedMonths(this.database, parent))
        await retryLockTimeouts(LOCK_RETRIES, () => this.database.transaction(sql => dropMonth(sql, month)));
      await this.#clear(`${parent}_default`);
    }
    // Arguments of approval requests are part of the result, because they may contain any data of the run.
    await deleteInBatches(rows =>
      queryBuilder<RunTables>(this.database)
        .deleteFrom('workflow_run_approval')
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('workflow_run_approval as a')
            .innerJoin('workflow_run as r', 'r.id', 'a.run_id')
            .select('a.id')
            .where(isExpired(this.ttlDays))
            .limit(rows)
            .forUpdate('a')
            .skipLocked(),
        )
        .returning('id')
        .execute(),
    );
  }

  #listKept(month: string): Promise<number> {
    return this.database.transaction(sql => recordKeptRuns(sql, month, this.ttlDays));
  }

  /** Deletes the expired rows of one partition in batches, in the order of its key. */
  async #clear(partition: string): Promise<void> {
    // The smallest id.
    let last: string | undefined = '00000000-0000-0000-0000-000000000000';
    while (last) last = await clearRunsAfter(this.database, { partition, days: this.ttlDays, last });
  }
}
