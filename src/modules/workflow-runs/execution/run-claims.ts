import type { Claims } from '../../../durable/lease-token.js';
import type { Queue } from '../../../durable/queue.js';
import { type Database, LEASE_STATEMENT, type Sql, whenReachable } from '../../../platform/database/database.js';
import { anyUuid, expression, NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { withDeadline } from '../../../platform/database/with-deadline.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { costSql } from '../history/workflow-run.js';
import type { RunTables } from '../run-tables.js';
import { claimRuns, createJobs, createJobsSql, restoreJobs, restoreJobsSql } from './claim-runs.sql.js';
import type { EarlyStart } from './prefix.js';

/** The pg-boss queue of workflow runs. The id of a job is the id of its run. */
export const RUN_QUEUE = 'workflow-run';

/** A run that this process executes. Its writes are accepted while its token equals the token of the row. */
export interface ClaimedRun {
  id: string;
  /** The fencing token. Every claim creates a new one, and every write of the run requires the current one. */
  token: number;
  /** Number of attempts. An attempt whose worker returned the run to the queue is not counted. */
  attempts: number;
  /** Number of the last event in the journal. */
  sequence: number;
  projectId: number;
  revisionId: number;
  createdAt: Date;
  workflowId: number | null;
  userId: number | null;
  parentRunId: string | null;
  /** The scenario run of which this run is a part: a message has started it or its parent run. */
  scenarioRunId: number | null;
  /** Ids of the workflows whose runs led to this one, outermost first. */
  ancestry: number[];
  /** Number of signals that the run had received when it was claimed. */
  signals: number;
  /** Milliseconds that workers have spent on the run. */
  workedMs: number;
  /** Whether the parent run has ended without waiting for this run. */
  isOrphan: boolean;
  /** The marketplace workflow of the copy. Null: no fee applies. */
  marketWorkflowId: number | null;
  /** The fee in percent of the AI cost. Null: no fee applies. */
  runFee: number | null;
  /** US dollars charged so far. */
  costUsd: string;
  input: Record<string, unknown>;
  sealedInput: string | null;
  /** The environment whose values of variables the run uses. Null: the default one. */
  environment: string | null;
  /** The trace in which the run was accepted. */
  traceparent: string | null;
  /** End of the lease of the job, by the clock of this process (`performance.now()`). */
  leaseExpiresAt: number;
  /** The part that the accepting process executed before it inserted the run. */
  earlyStart?: EarlyStart;
}

/** What all runs have in common that start with their insertion. */
export const FIRST_CLAIM = {
  attempts: 1,
  parentRunId: null,
  signals: 0,
  workedMs: 0,
  isOrphan: false,
  costUsd: '0',
} satisfies Partial<ClaimedRun>;

/** Thrown when a run no longer belongs to this worker. All further writes of this worker are rejected. */
export class LeaseLostError extends Error {
  constructor() {
    super('the lease of the run was lost');
    this.name = 'LeaseLostError';
  }
}

/** Returns the topic that announces a signal to the worker of a run. */
export function signalTopic(runId: string): string {
  return `signal:${runId}`;
}

/** Claims workflow runs by the fencing tokens in their rows, and manages their pg-boss jobs. */
export class RunClaims implements Claims<ClaimedRun> {
  #renew: (runs: readonly ClaimedRun[]) => Promise<ReadonlySet<string>> = async () => new Set();
  #createJobsText: string | undefined;
  #restoreJobsText: string | undefined;

  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
  ) {}

  /** Sets the function that renews the jobs of runs of this process. */
  renewWith(renew: (runs: readonly ClaimedRun[]) => Promise<ReadonlySet<string>>): void {
    this.#renew = renew;
  }

  async claim(ids: string[]): Promise<ClaimedRun[]> {
    const rows = await claimRuns<Omit<ClaimedRun, 'leaseExpiresAt'>>(this.database, ids);
    // The worker sets `leaseExpiresAt` afterwards.
    return rows.map(row => ({ ...row, leaseExpiresAt: 0 }));
  }

  /**
   * Asserts that this process still holds the lease of the run, renewing it if necessary. The protected action must follow
   * immediately. A process that was suspended for longer than its lease detects that here. Throws LeaseLostError.
   */
  async assertLease(run: ClaimedRun, signal: AbortSignal): Promise<void> {
    while (performance.now() >= run.leaseExpiresAt) {
      const heldIds = await whenReachable(() => this.#renew([run]), signal);
      if (!heldIds.has(run.id)) throw new LeaseLostError();
    }
  }

  async findHeld(runs: ClaimedRun[]): Promise<string[]> {
    const rows = await queryBuilder<RunTables>(withDeadline(this.database, LEASE_STATEMENT))
      .selectFrom('workflow_run as r')
      .innerJoin(heldBy(byId(runs)), join =>
        join.onRef('r.id', '=', 'held.id').onRef('r.lease_token', '=', 'held.token'),
      )
      .select('r.id')
      .where('r.state', '=', 'running')
      .execute();
    return rows.map(({ id }) => id);
  }

  createJobs(runs: ClaimedRun[]): Promise<void> {
    this.#createJobsText ??= createJobsSql(this.queue.statements(RUN_QUEUE));
    return createJobs(this.database, this.#createJobsText, runs);
  }

  /**
   * Creates the jobs of runs that were started without one and whose process has not created it since, so that another process
   * takes them over. With `isProbe` it creates none, but fails if the database would not execute it.
   */
  restoreJobs(isProbe = false): Promise<void> {
    this.#restoreJobsText ??= restoreJobsSql(this.queue.statements(RUN_QUEUE), RUN_QUEUE);
    return restoreJobs(this.database, this.#restoreJobsText, isProbe);
  }

  async returnToQueue(runs: ClaimedRun[], sql: Sql): Promise<string[]> {
    const rows = await queryBuilder<RunTables>(sql)
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
   * Suspends a run that only waits, and postpones or removes its job. Returns the milliseconds until it is due, or
   * null without a due time. Returns undefined when the run does not belong to this process.
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

  /** Signals runs that an awaited event has occurred. Waiting runs become due immediately. */
  async signal(ids: string[], sql: Sql): Promise<void> {
    const rows = await signalRows(sql, ids);
    await Bus.notify(sql, ids.map(signalTopic));
    const waiting = rows.filter(row => row.state === 'waiting');
    await this.queue.wake(RUN_QUEUE, waiting, sql);
  }
}

/** Runs are sorted by id, so that statements with common rows cannot deadlock. */
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
 * Suspends the row of a run. Suspension is progress, so earlier attempts no longer count. A signal that arrived since the claim
 * makes the run due immediately. The statement compares the counter in the row, so no concurrent signal is lost. Subscribers of
 * the project are notified.
 */
function suspendRow(sql: Sql, { id, token, signals }: ClaimedRun, until: string | null, workedMs: number) {
  return queryBuilder<RunTables>(sql)
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
      expression<unknown>`pg_notify('scenarium', 'activity:' || r.project_id)`.as('notified'),
    ])
    .executeTakeFirst();
}

function signalRows(sql: Sql, ids: readonly string[]) {
  return queryBuilder<RunTables>(sql)
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
