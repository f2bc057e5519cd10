import { type Database, LEASE_STATEMENT, type Sql } from '../platform/database/database.js';
import { nextTokenSql } from './lease-token.js';
import type { ClaimableRun, Claims } from './run-worker.js';

/** A claimed run, as the rows of a table with numbers for ids have it. */
export interface ClaimedRow extends ClaimableRun {
  /** The run's `billing_id`: the id of its job. */
  id: string;
  runId: number;
  projectId: number;
  /** The fencing token: every claim makes another one, every write of the run demands it. */
  token: number;
}

/**
 * Claims of the runs in one table. The table has the columns id, billing_id, project_id, status (`created`, `in_progress` or an
 * end), lease_token, attempts, queued_at, started_at, created_at and updated_at.
 */
export class TableClaims<Run extends ClaimedRow> implements Claims<Run> {
  readonly #claim: string;
  readonly #claimName: string;
  readonly #ours: string;
  readonly #handBack: string;

  /** `columns`: what a claimed run is made of, of the table as `r`. */
  constructor(
    private readonly database: Database,
    { table, columns }: { table: string; columns: string },
  ) {
    this.#claimName = `claim-${table}`;
    this.#claim = `
      update ${table} r
         set status = 'in_progress', lease_token = ${nextTokenSql('r.lease_token')}, attempts = r.attempts + 1,
             started_at = coalesce(r.started_at, now()), updated_at = now()
       where r.billing_id = any($1::uuid[]) and r.status in ('created', 'in_progress')
      returning ${columns}`;
    this.#ours = `
      select r.billing_id as id from ${table} r join unnest($1::int[], $2::bigint[]) as held(id, token) on r.id = held.id
       where r.lease_token = held.token and r.status = 'in_progress'`;
    // It stays in progress, and the next worker that fetches its job claims it.
    this.#handBack = `
      update ${table} r set attempts = greatest(r.attempts - 1, 0), updated_at = now()
        from unnest($1::int[], $2::bigint[]) as held(id, token)
       where r.id = held.id and r.lease_token = held.token and r.status = 'in_progress'
      returning r.billing_id as id`;
  }

  claim(ids: string[]): Promise<Run[]> {
    return this.database.byKey<Run>(this.#claimName, this.#claim, [ids], LEASE_STATEMENT);
  }

  async ours(runs: Run[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(this.#ours, columnsOf(runs), LEASE_STATEMENT);
    return rows.map(row => row.id);
  }

  async handBack(runs: Run[], sql: Sql): Promise<string[]> {
    const rows = await sql.query<{ id: string }>(this.#handBack, columnsOf(runs));
    return rows.map(row => row.id);
  }
}

/** How many waiting runs of its project come before the run that this transaction has inserted. */
export async function turnIn(sql: Sql, table: 'scenario_run' | 'keyword_run', projectId: number): Promise<number> {
  const [row] = await sql.query<{ turn: number }>(
    `select count(*)::int - 1 as turn from (
       select 1 from ${table} where project_id = $1 and status = 'created' limit 10000) waiting`,
    [projectId],
  );
  return row!.turn;
}

/** In the order of their ids: statements that touch the same rows never wait for each other in a circle. */
function columnsOf(given: readonly ClaimedRow[]): [number[], number[]] {
  const runs = given.toSorted((a, b) => a.runId - b.runId);
  return [runs.map(run => run.runId), runs.map(run => run.token)];
}
