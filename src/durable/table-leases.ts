import { type Database, LEASE_STATEMENT, type Sql } from '../platform/database/database.js';
import { nextTokenSql } from './lease-token.js';
import { LAPSED_SQL, LEASE_SECONDS, type Leases } from './leased-runs.js';
import { type TurnRequest, turnsSql, turnValues } from './turns.js';

/** A run under a lease, as the rows of a table with numbers for ids have it. */
export interface LeasedRow {
  /** The run's `billing_id`: the id of its job. */
  id: string;
  runId: number;
  projectId: number;
  /** The fencing token: every claim makes another one, every write of the run demands it. */
  token: number;
}

/**
 * Leases of the runs in one table, by the database's clock: who may execute a run, and since when nobody does. The table
 * has the columns id, billing_id, project_id, status (`created`, `in_progress` or an end), lease_token, lease_until, attempts,
 * queued_at, started_at, created_at and updated_at.
 */
export class TableLeases<Run extends LeasedRow> implements Leases<Run> {
  readonly #claim: string;
  readonly #claimName: string;
  readonly #renew: string;
  readonly #handBack: string;

  /** `columns`: what a claimed run is made of, of the table as `r`. */
  constructor(
    private readonly database: Database,
    { table, columns }: { table: string; columns: string },
  ) {
    const turns = turnsSql({
      table,
      key: 'billing_id',
      isQueued: `status = 'created'`,
      resumed: [
        {
          name: 'lapsed',
          condition: `status = 'in_progress' and $8::boolean and ${LAPSED_SQL} and billing_id <> all($6::uuid[])`,
          since: 'lease_until',
        },
      ],
    });
    this.#claimName = `claim-${table}`;
    this.#claim = `
      with ${turns}
      update ${table} r
         set status = 'in_progress', lease_token = ${nextTokenSql('r.lease_token')}, lease_until = clock_timestamp() + make_interval(secs => $7),
             attempts = r.attempts + 1, started_at = coalesce(r.started_at, now()), updated_at = now()
       where r.billing_id = any(array(select id from turn))
      returning ${columns}`;
    const held = `from unnest($1::int[], $2::bigint[]) as held(id, token)
       where r.id = held.id and r.lease_token = held.token and r.status = 'in_progress'
      returning r.billing_id as id`;
    this.#renew = `update ${table} r set lease_until = clock_timestamp() + make_interval(secs => $3) ${held}`;
    // It stays in progress, and whoever is woken may claim it at once.
    this.#handBack = `
      update ${table} r
         set lease_until = now() - interval '1 second', attempts = greatest(r.attempts - 1, 0), updated_at = now() ${held}`;
  }

  claim(request: TurnRequest): Promise<Run[]> {
    const values = [...turnValues(request), LEASE_SECONDS, request.takesOver ?? true];
    return this.database.byKey<Run>(this.#claimName, this.#claim, values, LEASE_STATEMENT);
  }

  async renew(runs: Run[]): Promise<Set<string>> {
    const values = [...columnsOf(runs), LEASE_SECONDS];
    const rows = await this.database.query<{ id: string }>(this.#renew, values, LEASE_STATEMENT);
    return new Set(rows.map(row => row.id));
  }

  async handBack(runs: Run[], sql: Sql): Promise<string[]> {
    const rows = await sql.query<{ id: string }>(this.#handBack, columnsOf(runs));
    return rows.map(row => row.id);
  }
}

/** In the order of their ids: statements that touch the same rows never wait for each other in a circle. */
function columnsOf(given: readonly LeasedRow[]): [number[], number[]] {
  const runs = given.toSorted((a, b) => a.runId - b.runId);
  return [runs.map(run => run.runId), runs.map(run => run.token)];
}
