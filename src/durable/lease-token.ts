import type { Sql } from '../platform/database/database.js';
import { expression } from '../platform/database/typed-queries.js';

/** Random bits of a token. The 13 bits above them count the claims. All 53 bits fit into a JavaScript number. */
const RANDOM_BITS = 40;
/** After 8191 claims the counter starts again at 0. */
const COUNTER_MASK = 2 ** 13 - 1;

/**
 * Returns SQL for the fencing token that follows the one in `column`, a column or SQL expression of the type `bigint`.
 * Its counter distinguishes the claims of one row. Its random part distinguishes the lease holders. A fail-over to an
 * asynchronous replica can reset a row and reissue counter values, but not tokens.
 */
export function nextTokenSql(column: string): string {
  const counter = `(((${column} >> ${RANDOM_BITS}) + 1) & ${COUNTER_MASK})`;
  return `(${counter} << ${RANDOM_BITS}) + floor(random() * ${2 ** RANDOM_BITS})::bigint`;
}

/** Returns `nextTokenSql` for a typed query. */
export function nextToken(column: string) {
  return expression<number>`${expression.raw(nextTokenSql(column))}`;
}

/**
 * Returns SQL for the first fencing token of a run that is assigned to a worker: `workerId`, SQL of the type `bigint`, in place
 * of the random part. If a fail-over loses the insertion, a run with the same id may be assigned to the same worker again. Its
 * writes must continue the journal of the row, like all writes.
 */
export function assignedTokenSql(workerId: string): string {
  return `(1::bigint << ${RANDOM_BITS}) + ${workerId}`;
}

/** Assigns the runs of one kind to this process, by rows with a fencing token. */
export interface Claims<Run> {
  /** Claims the runs of fetched jobs. Runs that have ended or that another process executes are omitted. */
  claim(ids: string[]): Promise<Run[]>;
  /**
   * Returns the ids of the runs whose fencing tokens are still current. After a fail-over two workers may have
   * fetched the same job.
   */
  findHeld(runs: Run[]): Promise<string[]>;
  /**
   * Creates the jobs of runs that this process still holds and has started without one (`DIRECT_START_JOB`). Absent: all runs of
   * this kind have jobs.
   */
  createJobs?(runs: Run[]): Promise<void>;
  /** Returns runs to the queue. The result contains the ids of the runs that this process still held. */
  returnToQueue(runs: Run[], sql: Sql): Promise<string[]>;
}
