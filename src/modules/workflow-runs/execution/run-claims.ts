import { nextTokenSql } from '../../../durable/lease-token.js';
import type { Queue } from '../../../durable/queue.js';
import type { Claims } from '../../../durable/run-worker.js';
import { type Database, LEASE_STATEMENT, onceReachable, type Sql } from '../../../platform/database/database.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { costSql } from '../history/workflow-run.js';
import type { Head } from './prefix.js';

/** The pg-boss queue of workflow runs. The id of a job is the id of its run. */
export const RUN_QUEUE = 'workflow-run';

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
  /** Until then the job is ours, by this process's own clock (`performance.now()`). */
  heldUntil: number;
  /** What this process executed of it before it was written. */
  head?: Head;
}

/** The run is no longer this worker's: whatever it still wants to do is refused. */
export class LeaseLostError extends Error {
  constructor() {
    super('the lease of the run was lost');
    this.name = 'LeaseLostError';
  }
}

/** The topic on which the worker that executes a run hears that something has come that it waits for. */
export function signalTopic(runId: string): string {
  return `signal:${runId}`;
}

// A run that an external service executes is not ours.
const CLAIM = `
  with claimed as (
    update workflow_run r
       set state = 'running', wake_at = null, lease_token = ${nextTokenSql('r.lease_token')}, attempts = r.attempts + 1,
           cost_usd = ${costSql('r')}, running_cost_usd = null, recorded_at = null,
           run_started_at = coalesce(r.run_started_at, now()), updated_at = now()
     where r.id = any($1::uuid[]) and (r.state in ('queued', 'waiting') or r.state = 'running' and r.external_sequence is null)
    returning r.*)
  select c.id, c.lease_token as token, c.attempts, c.sequence, c.project_id as "projectId",
         c.revision_id as "revisionId", c.workflow_id as "workflowId", c.user_id as "userId",
         c.parent_run_id as "parentRunId", c.ancestry, c.signals, c.worked_ms as "workedMs",
         c.market_workflow_id as "marketWorkflowId", c.run_fee as "runFee", c.cost_usd as "costUsd",
         exists (select 1 from workflow_run m where m.id = c.parent_run_id and m.run_finished_at is not null) as "isOrphan",
         c.created_at as "createdAt", c.traceparent, p.input, p.sealed_input as "sealedInput"
    from claimed c join workflow_run_payload p on p.run_id = c.id and p.run_created_at = c.created_at`;

const OURS = `
  select r.id from workflow_run r join unnest($1::uuid[], $2::bigint[]) as held(id, token) on r.id = held.id
   where r.lease_token = held.token and r.state = 'running'`;

const HAND_BACK = `
  update workflow_run r
     set state = 'queued', attempts = greatest(r.attempts - 1, 0), queued_at = now(), updated_at = now()
    from unnest($1::uuid[], $2::bigint[]) as held(id, token)
   where r.id = held.id and r.lease_token = held.token and r.state = 'running'
  returning r.id`;

// What came since the run was claimed is not waited for: the row itself says so, whoever writes it at the same time.
// Whoever watches the project is told.
const SUSPEND = `
  update workflow_run r
     set state = 'waiting', attempts = 0, worked_ms = $5, updated_at = now(),
         cost_usd = ${costSql('r')}, running_cost_usd = null, recorded_at = null,
         wake_at = case when r.signals > $3 then now() else $4::timestamptz end
   where r.id = $1 and r.lease_token = $2 and r.state = 'running'
  returning wake_at as "wakeAt", extract(epoch from wake_at - now())::float8 * 1000 as "dueInMs",
            pg_notify('scenarium', 'activity:' || r.project_id) as told`;

const SIGNAL = `
  with due as (
    select id from workflow_run where id = any($1::uuid[]) and state in ('running', 'waiting') order by id for no key update)
  update workflow_run r set signals = r.signals + 1, wake_at = case when r.state = 'waiting' then now() end
    from due where r.id = due.id
  returning r.id, r.project_id as "projectId", r.state`;

/** Who executes runs of workflows: the fencing token in their rows, and the jobs in pg-boss. */
export class RunClaims implements Claims<ClaimedRun> {
  #renew: (runs: readonly ClaimedRun[]) => Promise<ReadonlySet<string>> = async () => new Set();

  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
  ) {}

  /** The worker of this process, which renews the jobs of the runs that it executes. */
  renewWith(renew: (runs: readonly ClaimedRun[]) => Promise<ReadonlySet<string>>): void {
    this.#renew = renew;
  }

  async claim(ids: string[]): Promise<ClaimedRun[]> {
    const rows = await this.database.byKey<Omit<ClaimedRun, 'heldUntil'>>('claim-runs', CLAIM, [ids], LEASE_STATEMENT);
    // The worker sets until when the job is held.
    return rows.map(row => ({ ...row, heldUntil: 0 }));
  }

  /**
   * Resolves while the job is ours: what must not be done without it is done right after. A process that was stopped for
   * longer than a heartbeat may be late finds out here, before anything that it had in mind. Throws LeaseLostError.
   */
  async hold(run: ClaimedRun, signal: AbortSignal): Promise<void> {
    while (performance.now() >= run.heldUntil) {
      const ours = await onceReachable(() => this.#renew([run]), signal);
      if (!ours.has(run.id)) throw new LeaseLostError();
    }
  }

  async ours(runs: ClaimedRun[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(OURS, columnsOf(runs), LEASE_STATEMENT);
    return rows.map(row => row.id);
  }

  async handBack(runs: ClaimedRun[], sql: Sql): Promise<string[]> {
    const rows = await sql.query<{ id: string }>(HAND_BACK, columnsOf(runs));
    return rows.map(row => row.id);
  }

  /**
   * Lets go of a run that only waits: its job is due when the run is to be woken, or removed. Answers when that is (null: at
   * no time), or that the run is not ours.
   */
  async suspend(
    run: ClaimedRun,
    until: string | null,
    workedMs: number,
  ): Promise<{ dueInMs: number | null } | undefined> {
    const values = [run.id, run.token, run.signals, until, Math.round(workedMs)];
    failpoint('suspend.before');
    const row = await this.database.transaction(async sql => {
      const [suspended] = await sql.query<{ wakeAt: Date | null; dueInMs: number | null }>(SUSPEND, values);
      if (!suspended) return undefined;
      const { wakeAt } = suspended;
      if (wakeAt) await this.queue.release(RUN_QUEUE, [run], sql, wakeAt);
      else await this.queue.remove(RUN_QUEUE, [run.id], sql);
      failpoint('suspend.before-commit');
      return suspended;
    });
    failpoint('suspend.after');
    return row;
  }

  /** Something that these runs wait for has come: those that wait become due. */
  async signal(ids: string[], sql: Sql): Promise<void> {
    const rows = await sql.query<{ id: string; projectId: number; state: string }>(SIGNAL, [ids]);
    await Bus.notify(sql, ids.map(signalTopic));
    const waiting = rows.filter(row => row.state === 'waiting');
    await this.queue.wake(RUN_QUEUE, waiting, sql);
  }
}

/** In the order of their ids: statements that touch the same rows never wait for each other in a circle. */
function columnsOf(given: ClaimedRun[]): [string[], number[]] {
  const runs = given.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return [runs.map(run => run.id), runs.map(run => run.token)];
}
