import { nextToken } from '../../../durable/lease-token.js';
import { progressOf, resultOf } from '../../../engine/workflow/run/progress.js';
import { openNodes } from '../../../engine/workflow/run/recorded-state.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { afterCommit } from '../../../platform/database/sql-pool.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import { Bus } from '../../../platform/messaging/bus.js';
import type { Metrics } from '../../../platform/metrics/metrics.js';
import { sum } from '../../../platform/money/money.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { ScenarioRunCanceller } from '../../scenario-runs/scenario-run-canceller.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import { engineEvents, type JournalEvent, type RunCancelled, RunJournal, recordedEnd } from '../journal/run-journal.js';
import { ledgerRow, UnbilledUsage } from '../journal/run-ledger.js';
import type { RunRecord, RunRecorder } from '../journal/run-recorder.js';
import type { RunTables } from '../run-tables.js';
import type { ClaimedRun } from './run-claims.js';

/** Returns the topic that announces the cancellation of a run to its worker. */
export function cancelTopic(runId: string): string {
  return `cancel:${runId}`;
}

type LockedRun = Pick<
  ClaimedRun,
  'id' | 'token' | 'projectId' | 'parentRunId' | 'revisionId' | 'sequence' | 'workedMs' | 'marketWorkflowId'
>;

const UNFINISHED = ['draft', 'queued', 'running', 'waiting'] as const;

/** Locks an unfinished run and replaces its fencing token, which invalidates further writes of its worker. */
function lockUnfinished(runId: string, sql: Sql): Promise<LockedRun | undefined> {
  return queryBuilder<RunTables>(sql)
    .updateTable('workflow_run')
    .set({ lease_token: nextToken('lease_token') })
    .where('id', '=', runId)
    .where('state', 'in', UNFINISHED)
    .returning(['id', 'lease_token as token', 'project_id as projectId', 'parent_run_id as parentRunId'])
    .returning(['revision_id as revisionId', 'sequence', 'worked_ms as workedMs'])
    .returning('market_workflow_id as marketWorkflowId')
    .executeTakeFirst();
}

/**
 * Locks the parent of a run, which the end of the run signals. All transactions lock parents before their sub-runs, so that they
 * cannot deadlock.
 */
function lockParent(runId: string, sql: Sql): Promise<unknown> {
  return queryBuilder<RunTables>(sql)
    .selectFrom('workflow_run as parent')
    .innerJoin('workflow_run as r', 'r.parent_run_id', 'parent.id')
    .select('parent.id')
    .where('r.id', '=', runId)
    .forNoKeyUpdate('parent')
    .execute();
}

function unfinishedSubRuns(runId: string, sql: Sql): Promise<{ id: string }[]> {
  return queryBuilder<RunTables>(sql)
    .selectFrom('workflow_run')
    .select('id')
    .where('parent_run_id', '=', runId)
    .where('state', 'in', UNFINISHED)
    .orderBy('id')
    .execute();
}

/**
 * Cancels runs together with everything they started. The end is written immediately, regardless of the worker. A
 * notification makes that worker abort its calls in progress.
 */
export class RunCanceller {
  constructor(
    private readonly database: Database,
    private readonly revisions: RevisionStore,
    private readonly recorder: RunRecorder,
    private readonly scenarioRuns: ScenarioRunCanceller,
    private readonly metrics: Metrics,
  ) {}

  /** Cancels a run. No effect on a run that has already ended. */
  async cancel(runId: string): Promise<void> {
    await this.database.transaction(async sql => {
      await lockParent(runId, sql);
      await this.#cancel(runId, sql);
      failpoint('cancel.before-commit');
    });
    failpoint('cancel.after-commit');
  }

  /** Cancels the unfinished sub-runs and scenario runs that a run started. */
  async cancelSubRuns(runId: string): Promise<void> {
    await this.database.transaction(sql => this.#cancelSubRuns(runId, sql));
  }

  /** Cancels the unfinished runs that messages of a scenario run started, in the transaction that ends it. */
  async cancelStartedBy(sql: Sql, scenarioRunId: number): Promise<void> {
    const runs = await queryBuilder<RunTables>(sql)
      .selectFrom('workflow_run')
      .select('id')
      .where('scenario_run_id', '=', scenarioRunId)
      .where('state', 'in', UNFINISHED)
      // Parents come before their sub-runs.
      .orderBy('parent_run_id', order => order.asc().nullsFirst())
      .orderBy('id')
      .execute();
    for (const { id } of runs) await this.#cancel(id, sql);
  }

  async #cancel(runId: string, sql: Sql): Promise<void> {
    const run = await lockUnfinished(runId, sql);
    if (run) {
      await this.#end(run, sql);
      // An attempt of the transaction that is rolled back cancels nothing.
      afterCommit(sql, () => this.metrics.recordRunEnd('workflow', 'cancelled'));
    }
    await this.#cancelSubRuns(runId, sql);
  }

  async #cancelSubRuns(runId: string, sql: Sql): Promise<void> {
    await this.scenarioRuns.cancelStartedBy(sql, [runId]);
    for (const { id } of await unfinishedSubRuns(runId, sql)) await this.#cancel(id, sql);
  }

  async #end(run: LockedRun, sql: Sql): Promise<void> {
    const earlier = (await new RunJournal(sql).read(run.id))?.events ?? [];
    const endState = recordedEnd(earlier);
    const record = endState ? recordOfEnd(run, earlier, endState) : await this.#recordOfCancel(run, earlier, sql);
    await this.recorder.writeWithin(sql, [record]);
    await Bus.notify(sql, [cancelTopic(run.id)]);
  }

  async #recordOfCancel(run: LockedRun, earlier: readonly JournalEvent[], sql: Sql): Promise<RunRecord> {
    const { graph } = await this.revisions.get(run.revisionId, sql);
    const at = new Date().toISOString();
    const error = { code: 'cancelled', message: 'The run was cancelled.' };
    // A node in progress counts as executed: it gets an end event and a ledger row.
    const ends = openNodes(engineEvents(earlier)).map(
      place => ({ type: 'node.failed', ...place, at, error, continued: false }) as const,
    );
    const reported: (RunEvent | RunCancelled)[] = [...ends, { type: 'run.cancelled', at }];
    const events = reported.map((event, index): JournalEvent => ({ ...event, sequence: run.sequence + 1 + index }));
    const unbilled = new UnbilledUsage(earlier);
    const ledger = ends.map(event =>
      ledgerRow({
        runId: run.id,
        event,
        usages: unbilled.take(event).map(({ masked }) => masked),
        graph: 'byId' in graph ? graph : null,
      }),
    );
    const result = { ...resultOf(progressOf(engineEvents([...earlier, ...events]))), error };
    return {
      ...recordOf(run),
      events,
      ledger,
      costUsd: sum(ledger.map(row => row.amountUsd)),
      end: { state: 'cancelled', result },
    };
  }
}

/** Completes a run whose journal already contains its end. The row gets the same final state. */
function recordOfEnd(
  run: LockedRun,
  earlier: readonly JournalEvent[],
  state: 'succeeded' | 'failed' | 'cancelled',
): RunRecord {
  const result = resultOf(progressOf(engineEvents(earlier)));
  return { ...recordOf(run), events: [], ledger: [], costUsd: '0', end: { state, result } };
}

function recordOf(run: LockedRun) {
  return { run, approvals: [], settled: [], sealedContents: null, workedMs: run.workedMs };
}
