import { nextTokenSql } from '../../../durable/lease-token.js';
import { LAPSED_SQL, LEASE_SECONDS, type Leases } from '../../../durable/leased-runs.js';
import { type TurnRequest, turnsSql, turnValues } from '../../../durable/turns.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import { type Database, LEASE_STATEMENT, onceReachable, type Sql } from '../../../platform/database/database.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { costSql } from '../history/workflow-run.js';
import type { JournalEvent } from '../journal/run-journal.js';
import type { LedgerRow } from '../journal/run-ledger.js';

/** A run that this process executes: it may write as long as the token is the row's. */
export interface ClaimedRun {
  id: string;
  /** The fencing token: every claim makes another one, every write of the run demands it. */
  token: number;
  /** How often a worker has begun this run; one handed back in good order does not count. */
  attempts: number;
  sequence: number;
  projectId: number;
  revisionId: number;
  createdAt: Date;
  workflowId: number | null;
  userId: number | null;
  parentRunId: string | null;
  /** Workflows whose runs led to this one, outermost first. */
  ancestry: number[];
  /** How often something that the run waits for had come when it was claimed. */
  signals: number;
  /** Milliseconds that workers have spent on it. */
  workedMs: number;
  /** The run that started it has ended without it. */
  isOrphan: boolean;
  /** The marketplace workflow of which a copy is run; null: no fee. */
  marketWorkflowId: number | null;
  /** The fee in percent of the AI cost; null where there is none. */
  runFee: number | null;
  /** US dollars on the ledger so far. */
  costUsd: string;
  input: Record<string, unknown>;
  sealedInput: string | null;
  /** The trace that it was accepted in. */
  traceparent: string | null;
  /** Until then the lease is ours, by this process's own clock (`performance.now()`). */
  heldUntil: number;
  /** What this process executed of it before it was written. */
  head?: RunHead;
}

/** The beginning of a run up to its first call to the outside, which is announced and was not made. */
export interface RunHead {
  events: JournalEvent[];
  /** The same, as they were before masking. */
  clear: RunEvent[];
  sealedContents: string | null;
  ledger: LedgerRow[];
}

/** The run is no longer this worker's: whatever it still wants to do is refused. */
export class LeaseLostError extends Error {
  constructor() {
    super('the lease of the run was lost');
    this.name = 'LeaseLostError';
  }
}

/** How long a lease that is asked for now is surely held. */
export function leaseFromNow(): number {
  return performance.now() + LEASE_SECONDS * 1_000;
}

/** The topic on which the worker that executes a run hears that something has come that it waits for. */
export function signalTopic(runId: string): string {
  return `signal:${runId}`;
}

const TURNS = turnsSql({
  table: 'workflow_run',
  key: 'id',
  isQueued: `state = 'queued'`,
  resumed: [
    {
      name: 'lapsed',
      condition: `state = 'running' and $8::boolean and ${LAPSED_SQL} and id <> all($6::uuid[])`,
      since: 'lease_until',
    },
    { name: 'woken', condition: `state = 'waiting' and wake_at <= now()`, since: 'wake_at' },
  ],
});

const CLAIM = `
  with ${TURNS},
  claimed as (
    update workflow_run r
       set state = 'running', wake_at = null, lease_token = ${nextTokenSql('r.lease_token')}, lease_until = clock_timestamp() + make_interval(secs => $7),
           cost_usd = ${costSql('r')}, running_cost_usd = null, recorded_at = null,
           attempts = r.attempts + 1, run_started_at = coalesce(r.run_started_at, now()), updated_at = now()
     where r.id = any(array(select id from turn))
    returning r.*)
  select c.id, c.lease_token as token, c.attempts, c.sequence, c.project_id as "projectId",
         c.revision_id as "revisionId", c.workflow_id as "workflowId", c.user_id as "userId",
         c.parent_run_id as "parentRunId", c.ancestry, c.signals, c.worked_ms as "workedMs",
         c.market_workflow_id as "marketWorkflowId", c.run_fee as "runFee", c.cost_usd as "costUsd",
         exists (select 1 from workflow_run m where m.id = c.parent_run_id and m.run_finished_at is not null) as "isOrphan",
         c.created_at as "createdAt", c.traceparent, p.input, p.sealed_input as "sealedInput"
    from claimed c join workflow_run_payload p on p.run_id = c.id and p.run_created_at = c.created_at`;

const RENEW = `
  update workflow_run r set lease_until = clock_timestamp() + make_interval(secs => $3)
    from unnest($1::uuid[], $2::bigint[]) as held(id, token)
   where r.id = held.id and r.lease_token = held.token and r.state = 'running'
  returning r.id`;

const HAND_BACK = `
  update workflow_run r
     set state = 'queued', lease_until = null, attempts = greatest(r.attempts - 1, 0), queued_at = now(), updated_at = now()
    from unnest($1::uuid[], $2::bigint[]) as held(id, token)
   where r.id = held.id and r.lease_token = held.token and r.state = 'running'
  returning r.id`;

// What came since the run was claimed is not waited for: the row itself says so, whoever writes it at the same time.
// Whoever watches the project is told.
const SUSPEND = `
  update workflow_run r
     set state = 'waiting', lease_until = null, attempts = 0, worked_ms = $5, updated_at = now(),
         cost_usd = ${costSql('r')}, running_cost_usd = null, recorded_at = null,
         wake_at = case when r.signals > $3 then now() else $4::timestamptz end
   where r.id = $1 and r.lease_token = $2 and r.state = 'running'
  returning extract(epoch from wake_at - now())::float8 * 1000 as "dueInMs",
            pg_notify('scenarium', 'activity:' || r.project_id) as told`;

const SIGNAL = `
  with due as (
    select id from workflow_run where id = any($1::uuid[]) and state in ('running', 'waiting') order by id for no key update)
  update workflow_run r set signals = r.signals + 1, wake_at = case when r.state = 'waiting' then now() end
    from due where r.id = due.id
  returning r.id, r.state`;

const DUE = `
  select id, greatest(extract(epoch from wake_at - now())::float8 * 1000, 0) as "dueInMs" from workflow_run
   where state = 'waiting' and wake_at < now() + make_interval(secs => $1::float8 / 1000) order by wake_at limit 500`;

/** Leases by the database's clock: who may execute a run, and since when nobody does. */
export class RunLeases implements Leases<ClaimedRun> {
  constructor(private readonly database: Database) {}

  /** Takes runs that nobody executes, by turns of their projects. */
  async claim(request: TurnRequest): Promise<ClaimedRun[]> {
    const heldUntil = leaseFromNow();
    const values = [...turnValues(request), LEASE_SECONDS, request.takesOver ?? true];
    const rows = await this.database.byKey<Omit<ClaimedRun, 'heldUntil'>>('claim-runs', CLAIM, values, LEASE_STATEMENT);
    return rows.map(row => ({ ...row, heldUntil }));
  }

  /** Prolongs the leases; the answer holds the ids that are still ours. */
  async renew(runs: ClaimedRun[]): Promise<Set<string>> {
    const heldUntil = leaseFromNow();
    const values = [...columns(runs), LEASE_SECONDS];
    const rows = await this.database.query<{ id: string }>(RENEW, values, LEASE_STATEMENT);
    const ours = new Set(rows.map(row => row.id));
    for (const run of runs) if (ours.has(run.id)) run.heldUntil = heldUntil;
    return ours;
  }

  /**
   * Resolves while the lease is ours: what must not be done without it is done right after. A process that was stopped for
   * longer than its lease lasts finds out here, before anything that it had in mind. Throws LeaseLostError.
   */
  async hold(run: ClaimedRun, signal: AbortSignal): Promise<void> {
    while (performance.now() >= run.heldUntil) {
      const ours = await onceReachable(() => this.renew([run]), signal);
      if (!ours.has(run.id)) throw new LeaseLostError();
    }
  }

  /** Gives runs back to the queue; the answer holds the ids that were still ours to give. */
  async handBack(runs: ClaimedRun[], sql: Sql): Promise<string[]> {
    const rows = await sql.query<{ id: string }>(HAND_BACK, columns(runs));
    return rows.map(row => row.id);
  }

  /** Ends the lease of a run that only waits. Answers when it is to be woken (null: at no time), or that it is not ours. */
  async suspend(
    run: ClaimedRun,
    until: string | null,
    workedMs: number,
  ): Promise<{ dueInMs: number | null } | undefined> {
    const values = [run.id, run.token, run.signals, until, Math.round(workedMs)];
    failpoint('suspend.before');
    const [row] = await this.database.query<{ dueInMs: number | null }>(SUSPEND, values);
    failpoint('suspend.after');
    return row;
  }

  /** Something that these runs wait for has come. Answers the ids of those that have to be woken. */
  async signal(ids: string[], sql: Sql): Promise<string[]> {
    const rows = await sql.query<{ id: string; state: string }>(SIGNAL, [ids]);
    await Bus.notify(sql, ids.map(signalTopic));
    return rows.filter(row => row.state === 'waiting').map(row => row.id);
  }

  /** Waiting runs whose time comes within `ms`, or has come. */
  due(ms: number): Promise<{ id: string; dueInMs: number }[]> {
    return this.database.query(DUE, [ms]);
  }
}

/** In the order of their ids: statements that touch the same rows never wait for each other in a circle. */
function columns(given: ClaimedRun[]): [string[], number[]] {
  const runs = given.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return [runs.map(run => run.id), runs.map(run => run.token)];
}
