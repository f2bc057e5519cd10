import { type Database, LEASE_STATEMENT, type Sql } from '../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../platform/database/typed-queries.js';
import { withDeadline } from '../platform/database/with-deadline.js';
import { type Claims, nextToken } from './lease-token.js';
import type { ClaimableRun } from './run-worker.js';

/** A claimed run of a table with numeric ids. */
export interface ClaimedRow extends ClaimableRun {
  /** The `billing_id` of the run, which is the id of its job. */
  id: string;
  runId: number;
  projectId: number;
  /** The fencing token. Every claim creates a new one, and every write of the run requires the current one. */
  token: number;
}

/** The tables whose runs this file claims. */
type LeasedTable = 'scenario_run' | 'keyword_run';

/** The common columns of these tables. */
interface LeasedColumns {
  id: number;
  billing_id: string;
  project_id: number;
  status: string;
  lease_token: number;
  attempts: number;
  updated_at: Date;
}

type LeasedTables = Record<LeasedTable, LeasedColumns>;

/** The columns that a claim sets, with the table aliased as `r`. */
export const CLAIMED = {
  status: expression<never>`'in_progress'`,
  lease_token: nextToken('r.lease_token'),
  attempts: expression<number>`r.attempts + 1`,
  started_at: expression<Date>`coalesce(r.started_at, now())`,
  updated_at: NOW,
};

/** Claims runs: sets `CLAIMED` for the unfinished runs with these `billing_id`s and returns them. */
type ClaimQuery<Run> = (sql: Sql, values: { ids: string[] }) => Promise<Run[]>;

/** Claims the runs of one table. */
export class TableClaims<Run extends ClaimedRow> implements Claims<Run> {
  /** Statements with the deadline of a lease. */
  readonly #sql: Sql;

  constructor(
    database: Database,
    private readonly options: { table: LeasedTable; claim: ClaimQuery<Run> },
  ) {
    this.#sql = withDeadline(database, LEASE_STATEMENT);
  }

  claim(ids: string[]): Promise<Run[]> {
    return this.options.claim(this.#sql, { ids });
  }

  async findHeld(runs: Run[]): Promise<string[]> {
    const rows = await queryBuilder<LeasedTables>(this.#sql)
      .selectFrom(`${this.options.table} as r`)
      .innerJoin(heldRows(runs), 'held.id', 'r.id')
      .select('r.billing_id as id')
      .whereRef('r.lease_token', '=', 'held.token')
      .where('r.status', '=', 'in_progress')
      .execute();
    return rows.map(row => row.id);
  }

  /** The run remains in progress. The next worker that fetches its job claims it. */
  async returnToQueue(runs: Run[], sql: Sql): Promise<string[]> {
    const rows = await queryBuilder<LeasedTables>(sql)
      .updateTable(`${this.options.table} as r`)
      .from(heldRows(runs))
      .set({ attempts: expression<number>`greatest(r.attempts - 1, 0)`, updated_at: NOW })
      .whereRef('r.id', '=', 'held.id')
      .whereRef('r.lease_token', '=', 'held.token')
      .where('r.status', '=', 'in_progress')
      .returning('r.billing_id as id')
      .execute();
    return rows.map(row => row.id);
  }
}

/** The maximum number of runs that are counted. Later runs have equal priority. */
const MAX_COUNTED = 10_000;

/** Returns the number of queued runs of the project ahead of the run that this transaction has inserted. */
export async function countRunsAhead(sql: Sql, table: LeasedTable, projectId: number): Promise<number> {
  const tables = queryBuilder<LeasedTables>(sql);
  const waiting = tables
    .selectFrom(table)
    .select('id')
    .where('project_id', '=', projectId)
    .where('status', '=', expression.lit('created'))
    .limit(MAX_COUNTED);
  const { count } = await tables
    .selectFrom(waiting.as('waiting'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count - 1;
}

/** Rows are sorted by id, so that statements with common rows cannot deadlock. */
function heldRows(claimed: readonly ClaimedRow[]) {
  const runs = claimed.toSorted((a, b) => a.runId - b.runId);
  const [ids, tokens] = [runs.map(run => run.runId), runs.map(run => run.token)];
  const rows = expression<{ id: number; token: number }>`unnest(${ids}::int[], ${tokens}::bigint[])`;
  return rows.as<'held'>(expression`held(id, token)`);
}
