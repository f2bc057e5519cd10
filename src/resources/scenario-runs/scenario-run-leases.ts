import type { Database, Sql } from '../../base/database.js';
import { LEASE_SECONDS, type Leases } from '../../base/leased-runs.js';
import type { InsertedVariable } from './inserted-variable.type.js';

/** The queue of wake-ups: a job's id is the `billing_id` of the run it is for. */
export const SCENARIO_RUN_QUEUE = 'scenario-run';

/** A run that this process executes: it may write as long as the token is the row's. */
export interface ClaimedScenarioRun {
  /** The run's `billing_id`. */
  id: string;
  runId: number;
  /** The fencing token: every claim raises it, every write of the run demands it. */
  token: number;
  /** How often a worker has begun this run; one handed back in good order does not count. */
  attempts: number;
  sequence: number;
  projectId: number;
  /** The run of a workflow that started it. */
  parentRunId: string | null;
  /** That run has ended without it. */
  isOrphan: boolean;
  /** Milliseconds that workers have spent on it. */
  workedMs: number;
  insertedVariables: InsertedVariable[];
}

export const CLAIMED_COLUMNS = `r.billing_id as id, r.id as "runId", r.lease_token as token, r.attempts, r.sequence,
  r.project_id as "projectId", r.parent_run_id as "parentRunId", r.worked_ms as "workedMs",
  r.inserted_variables as "insertedVariables",
  exists (select 1 from workflow_run m where m.id = r.parent_run_id and m.run_finished_at is not null) as "isOrphan"`;

// Waits for a row that someone else holds for a moment: skipping it would lose its wake-up. Ordered, so that two workers
// never wait for each other.
const CLAIM = `
  with due as (
    select id from scenario_run
     where billing_id = any($1::uuid[]) and (status = 'created' or (status = 'in_progress' and lease_until < now()))
     order by id for update)
  update scenario_run r
     set status = 'in_progress', lease_token = r.lease_token + 1, lease_until = now() + make_interval(secs => $2),
         attempts = r.attempts + 1, started_at = coalesce(r.started_at, now()), updated_at = now()
    from due where r.id = due.id
  returning ${CLAIMED_COLUMNS}`;

const RENEW = `
  update scenario_run r set lease_until = now() + make_interval(secs => $3)
    from unnest($1::int[], $2::bigint[]) as held(id, token)
   where r.id = held.id and r.lease_token = held.token and r.status = 'in_progress'
  returning r.billing_id as id`;

// Its changes are closed once it has begun: it stays in progress, and whoever is woken may claim it at once.
const HAND_BACK = `
  update scenario_run r
     set lease_until = now() - interval '1 second', attempts = greatest(r.attempts - 1, 0), updated_at = now()
    from unnest($1::int[], $2::bigint[]) as held(id, token)
   where r.id = held.id and r.lease_token = held.token and r.status = 'in_progress'
  returning r.billing_id as id`;

const STRANDED = `
  select billing_id as id from scenario_run
   where (status = 'in_progress' and lease_until < now())
      or (status = 'created' and queued_at < now() - make_interval(secs => $1))
   order by created_at limit 500`;

/** Leases by the database's clock: who may execute a run, and since when nobody does. */
export class ScenarioRunLeases implements Leases<ClaimedScenarioRun> {
  constructor(private readonly database: Database) {}

  claim(ids: string[]): Promise<ClaimedScenarioRun[]> {
    return this.database.query<ClaimedScenarioRun>(CLAIM, [ids, LEASE_SECONDS]);
  }

  async renew(runs: ClaimedScenarioRun[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(RENEW, [...columns(runs), LEASE_SECONDS]);
    return new Set(rows.map(row => row.id));
  }

  async handBack(runs: ClaimedScenarioRun[], sql: Sql): Promise<string[]> {
    const rows = await sql.query<{ id: string }>(HAND_BACK, columns(runs));
    return rows.map(row => row.id);
  }

  async stranded(queuedForSeconds: number): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(STRANDED, [queuedForSeconds]);
    return rows.map(row => row.id);
  }
}

/** In the order of their ids: statements that touch the same rows never wait for each other in a circle. */
function columns(given: ClaimedScenarioRun[]): [number[], number[]] {
  const runs = given.toSorted((a, b) => a.runId - b.runId);
  return [runs.map(run => run.runId), runs.map(run => run.token)];
}
