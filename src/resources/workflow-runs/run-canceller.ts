import { Bus } from '../../base/bus.js';
import type { Database, Sql } from '../../base/database.js';
import { failpoint } from '../../base/failpoint.js';
import type { Metrics } from '../../base/metrics.js';
import { sum } from '../../base/money.js';
import { progressOf, resultOf } from '../../engine/workflow/progress.js';
import { openNodes } from '../../engine/workflow/recorded.js';
import type { RunEvent } from '../../engine/workflow/run-event.js';
import type { ScenarioRunCanceller } from '../scenario-runs/scenario-run-canceller.js';
import type { RevisionStore } from '../workflows/revision-store.js';
import { engineEvents, type JournalEvent, type RunCancelled, RunJournal } from './run-journal.js';
import type { ClaimedRun } from './run-leases.js';
import { ledgerRow, UnbilledUsage } from './run-ledger.js';
import type { RunRecorder } from './run-recorder.js';

/** The topic on which the worker that executes a run hears that it was cancelled. */
export function cancelTopic(runId: string): string {
  return `cancel:${runId}`;
}

type LockedRun = Pick<
  ClaimedRun,
  'id' | 'token' | 'projectId' | 'parentRunId' | 'revisionId' | 'sequence' | 'workedMs' | 'marketWorkflowId'
>;

// The raised token refuses whatever the worker that executes the run still wants to write.
const TAKE = `
  update workflow_run set lease_token = lease_token + 1
   where id = $1 and state in ('draft', 'queued', 'running', 'waiting')
  returning id, lease_token as token, project_id as "projectId", parent_run_id as "parentRunId",
            revision_id as "revisionId", sequence, worked_ms as "workedMs",
            market_workflow_id as "marketWorkflowId"`;

const SUB_RUNS = `
  select id from workflow_run where parent_run_id = $1 and state in ('draft', 'queued', 'running', 'waiting') order by id`;

/**
 * Ends runs on request, with all that they started. The end is written here, at once, whoever executes the run; the
 * notification makes that worker abort the calls in flight.
 */
export class RunCanceller {
  constructor(
    private readonly database: Database,
    private readonly revisions: RevisionStore,
    private readonly recorder: RunRecorder,
    private readonly scenarioRuns: ScenarioRunCanceller,
    private readonly metrics: Metrics,
  ) {}

  /** Does nothing to a run that has ended: cancelling twice, or too late, is harmless. */
  async cancel(runId: string): Promise<void> {
    const ended = await this.database.transaction(async sql => {
      const ended = await this.#cancel(runId, sql);
      failpoint('cancel.before-commit');
      return ended;
    });
    failpoint('cancel.after-commit');
    this.#count(ended);
  }

  /** Ends what a run has started and not waited for. */
  async cancelSubRuns(runId: string): Promise<void> {
    this.#count(await this.database.transaction(sql => this.#cancelSubRuns(runId, sql)));
  }

  #count(ended: number): void {
    for (let run = 0; run < ended; run++) this.metrics.runEnded('workflow', 'cancelled');
  }

  /** Tells how many runs it ended. */
  async #cancel(runId: string, sql: Sql): Promise<number> {
    const [run] = await sql.query<LockedRun>(TAKE, [runId]);
    if (run) await this.#end(run, sql);
    return (run ? 1 : 0) + (await this.#cancelSubRuns(runId, sql));
  }

  async #cancelSubRuns(runId: string, sql: Sql): Promise<number> {
    await this.scenarioRuns.cancelStartedBy(sql, [runId]);
    let ended = 0;
    for (const { id } of await sql.query<{ id: string }>(SUB_RUNS, [runId])) ended += await this.#cancel(id, sql);
    return ended;
  }

  async #end(run: LockedRun, sql: Sql): Promise<void> {
    const earlier = (await new RunJournal(sql).read(run.id))?.events ?? [];
    const { graph } = await this.revisions.get(run.revisionId, sql);
    const at = new Date().toISOString();
    const error = { code: 'cancelled', message: 'The run was cancelled.' };
    // A node in flight was executed: it has its end, and its row on the ledger, like any other.
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
        usages: unbilled.take(event).map(({ shown }) => shown),
        graph: 'byId' in graph ? graph : null,
      }),
    );
    const result = { ...resultOf(progressOf(engineEvents([...earlier, ...events]))), error };
    await this.recorder.writeWithin(sql, [
      {
        run,
        events,
        ledger,
        approvals: [],
        settled: [],
        sealedContents: null,
        costUsd: sum(ledger.map(row => row.amountUsd)),
        workedMs: run.workedMs,
        end: { state: 'cancelled', result },
      },
    ]);
    await sql.query(Bus.notifySql, [Bus.payloads([cancelTopic(run.id)])]);
  }
}
