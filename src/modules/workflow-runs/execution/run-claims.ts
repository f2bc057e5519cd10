import type { Queue } from '../../../durable/queue.js';
import type { Claims } from '../../../durable/run-worker.js';
import { type Database, LEASE_STATEMENT, type Sql, whenReachable } from '../../../platform/database/database.js';
import { anyUuid, expression, NOW, queries } from '../../../platform/database/typed-queries.js';
import { withDeadline } from '../../../platform/database/with-deadline.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { costSql } from '../history/workflow-run.js';
import type { RunTables } from '../run-tables.js';
import { claimRuns } from './claim-runs.sql.js';
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
    const rows = await claimRuns<Omit<ClaimedRun, 'heldUntil'>>(this.database, ids);
    // The worker sets until when the job is held.
    return rows.map(row => ({ ...row, heldUntil: 0 }));
  }

  /**
   * Resolves while the job is ours: what must not be done without it is done right after. A process that was stopped for
   * longer than a heartbeat may be late finds out here, before anything that it had in mind. Throws LeaseLostError.
   */
  async hold(run: ClaimedRun, signal: AbortSignal): Promise<void> {
    while (performance.now() >= run.heldUntil) {
      const ours = await whenReachable(() => this.#renew([run]), signal);
      if (!ours.has(run.id)) throw new LeaseLostError();
    }
  }

  async ours(runs: ClaimedRun[]): Promise<string[]> {
    const rows = await queries<RunTables>(withDeadline(this.database, LEASE_STATEMENT))
      .selectFrom('workflow_run as r')
      .innerJoin(heldBy(byId(runs)), join =>
        join.onRef('r.id', '=', 'held.id').onRef('r.lease_token', '=', 'held.token'),
      )
      .select('r.id')
      .where('r.state', '=', 'running')
      .execute();
    return rows.map(({ id }) => id);
  }

  async handBack(runs: ClaimedRun[], sql: Sql): Promise<string[]> {
    const rows = await queries<RunTables>(sql)
      .updateTable('workflow_run as r')
      .from(heldBy(byId(runs)))
      .set({ state: 'queued', queued_at: NOW, updated_at: NOW })
      .set(({ ref }) => ({ attempts: expression<number>`greatest(${ref('r.attempts')} - 1, 0)` }))
      .whereRef('r.id', '=', 'held.id')
      .whereRef('r.lease_token', '=', 'held.token')
      .where('r.state', '=', 'running')
      .returning('r.id')
      .execute();
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
    failpoint('suspend.before');
    const row = await this.database.transaction(async sql => {
      const suspended = await suspendRow(sql, run, until, workedMs);
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
    const rows = await signalRows(sql, ids);
    await Bus.notify(sql, ids.map(signalTopic));
    const waiting = rows.filter(row => row.state === 'waiting');
    await this.queue.wake(RUN_QUEUE, waiting, sql);
  }
}

/** In the order of their ids: statements that touch the same rows never wait for each other in a circle. */
function byId(runs: readonly ClaimedRun[]): ClaimedRun[] {
  return runs.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function heldBy(runs: readonly ClaimedRun[]) {
  const ids = runs.map(({ id }) => id);
  const tokens = runs.map(({ token }) => token);
  return expression<{ id: string; token: number }>`unnest(${ids}::uuid[], ${tokens}::bigint[])`.as<'held'>(
    expression`held(id, token)`,
  );
}

/**
 * What came since the run was claimed is not waited for: the row itself says so, whatever writes it at the same time. Those who
 * watch the project are notified.
 */
function suspendRow(sql: Sql, { id, token, signals }: ClaimedRun, until: string | null, workedMs: number) {
  return queries<RunTables>(sql)
    .updateTable('workflow_run as r')
    .set({ state: 'waiting', attempts: 0, worked_ms: Math.round(workedMs), updated_at: NOW })
    .set({ cost_usd: expression.raw(costSql('r')), running_cost_usd: null, recorded_at: null })
    .set({
      wake_at: expression<Date | null>`case when r.signals > ${signals} then now() else ${until}::timestamptz end`,
    })
    .where('r.id', '=', id)
    .where('r.lease_token', '=', token)
    .where('r.state', '=', 'running')
    .returning([
      'r.wake_at as wakeAt',
      expression<number | null>`extract(epoch from r.wake_at - now())::float8 * 1000`.as('dueInMs'),
      expression<unknown>`pg_notify('scenarium', 'activity:' || r.project_id)`.as('told'),
    ])
    .executeTakeFirst();
}

function signalRows(sql: Sql, ids: readonly string[]) {
  return queries<RunTables>(sql)
    .with('due', tables =>
      tables
        .selectFrom('workflow_run')
        .select('id')
        .where('id', '=', anyUuid(ids))
        .where('state', 'in', ['running', 'waiting'])
        .orderBy('id')
        .forNoKeyUpdate(),
    )
    .updateTable('workflow_run as r')
    .from('due')
    .set({
      signals: expression<number>`r.signals + 1`,
      wake_at: expression<Date | null>`case when r.state = 'waiting' then now() end`,
    })
    .whereRef('due.id', '=', 'r.id')
    .returning(['r.id', 'r.project_id as projectId', 'r.state'])
    .execute();
}
