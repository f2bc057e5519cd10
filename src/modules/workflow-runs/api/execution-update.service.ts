import { nextToken } from '../../../durable/lease-token.js';
import type { Queue } from '../../../durable/queue.js';
import type { RunState } from '../../../engine/status.js';
import { GraphError } from '../../../engine/workflow/graph/graph.js';
import { progressOf, resultOf } from '../../../engine/workflow/run/progress.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { ForbiddenError, NotFoundError } from '../../../platform/errors/errors.js';
import { sum } from '../../../platform/money/money.js';
import { OPERATOR, type Viewer } from '../../accounts/viewer.js';
import type { BillingTables } from '../../billing/billing-tables.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import { openInput, secretsOf } from '../admission/sealed-input.js';
import { createEventMasker } from '../execution/event-masker.js';
import { type ClaimedRun, RUN_QUEUE } from '../execution/run-claims.js';
import type { WorkflowRunDelivery } from '../history/workflow-run.inputs.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import { engineEvents, type JournalEvent, RunJournal } from '../journal/run-journal.js';
import type { RunRecorder } from '../journal/run-recorder.js';
import type { RunTables } from '../run-tables.js';
import { chargeExternalRun } from './charge-external-run.sql.js';
import { type ExistingCharge, eventsOf, ledgerOf } from './execution-update.events.js';
import { type ParsedUpdate, parseUpdate } from './execution-update.parsing.js';
import type { ExecutionUpdateInput } from './execution-update.type.js';

interface LockedRun
  extends Pick<
    ClaimedRun,
    'id' | 'projectId' | 'parentRunId' | 'revisionId' | 'sequence' | 'workedMs' | 'createdAt' | 'marketWorkflowId'
  > {
  state: RunState;
  externalSequence: number | null;
  /** Whether a worker of this service executes the run, which no update has reported yet. */
  hasWorker: boolean;
  input: Record<string, unknown>;
  sealedInput: string | null;
}

/** Applies progress reports of an external execution service. */
export class ExecutionUpdateService {
  constructor(
    private readonly database: Database,
    private readonly revisions: RevisionStore,
    private readonly queue: Queue,
    private readonly recorder: RunRecorder,
    private readonly runs: WorkflowRunService,
    private readonly vault: Vault,
  ) {}

  /**
   * Applies an update and returns the resulting status of the run. It has no effect when it is not newer than the
   * last one, when the run is a draft or has ended, or when a worker of this service executes the run. Throws
   * ForbiddenError without the service token.
   */
  async apply(viewer: Viewer, runId: string, input: ExecutionUpdateInput): Promise<WorkflowRunDelivery> {
    if (viewer.via !== 'service') throw new ForbiddenError();
    const update = parseUpdate(input);
    await this.database.transaction(sql => this.#apply(sql, runId, update));
    // The service token has no role in the project.
    return this.runs.getResult(OPERATOR, runId);
  }

  async #apply(sql: Sql, runId: string, update: ParsedUpdate): Promise<void> {
    const run = await lockRun(sql, runId);
    if (!run) throw new NotFoundError();
    const isOpen = run.state === 'queued' || run.state === 'running' || run.state === 'waiting';
    if (!isOpen || run.hasWorker || update.sequence <= (run.externalSequence ?? -1)) return;
    const isBegun = update.status !== 'in queue';
    const token = await assignToExternal(sql, runId, update, isBegun);
    if (!isBegun) return;
    await this.queue.remove(RUN_QUEUE, [runId], sql);
    await this.#record(sql, { ...run, token }, update);
  }

  async #record(sql: Sql, run: LockedRun & { token: number }, update: ParsedUpdate): Promise<void> {
    const revision = await this.revisions.get(run.revisionId, sql);
    const graph = revision.graph instanceof GraphError ? null : revision.graph;
    const secrets = secretsOf(openInput(this.vault, run), revision.secrets);
    const hide = graph ? createEventMasker(graph, run.input, secrets) : (event: RunEvent) => event;

    const earlier = engineEvents((await new RunJournal(sql).read(run.id))?.events ?? []);
    const reported = eventsOf(update, progressOf(earlier), new Date().toISOString()).map(hide);
    const events = reported.map((event, index): JournalEvent => ({ ...event, sequence: run.sequence + 1 + index }));
    const existing: ExistingCharge[] = await queryBuilder<BillingTables>(sql)
      .selectFrom('billing_transaction')
      .select(['node_id as nodeId', 'operation'])
      .where('run_id', '=', run.id)
      .execute();
    const ledger = ledgerOf(run.id, update, { events: [...earlier, ...reported], existing, graph });
    if (events.length === 0) {
      if (ledger.length > 0) await chargeExternalRun(sql, run.id, ledger);
      return;
    }
    const state = END_STATES[update.status];
    await this.recorder.writeWithin(sql, [
      {
        run,
        events,
        ledger,
        settled: [],
        approvals: [],
        sealedContents: null,
        costUsd: sum(ledger.map(row => row.amountUsd)),
        workedMs: run.workedMs,
        end: state
          ? { state, result: resultOf(progressOf([...earlier, ...reported])), finishedAt: update.finishedAt }
          : null,
      },
    ]);
  }
}

const END_STATES: Partial<Record<ParsedUpdate['status'], 'succeeded' | 'failed'>> = {
  succeed: 'succeeded',
  failed: 'failed',
};

function lockRun(sql: Sql, runId: string): Promise<LockedRun | undefined> {
  return queryBuilder<RunTables>(sql)
    .selectFrom('workflow_run as r')
    .innerJoin('workflow_run_payload as p', join =>
      join.onRef('p.run_id', '=', 'r.id').onRef('p.run_created_at', '=', 'r.created_at'),
    )
    .select(['r.id', 'r.project_id as projectId', 'r.parent_run_id as parentRunId', 'r.revision_id as revisionId'])
    .select(['r.sequence', 'r.worked_ms as workedMs', 'r.created_at as createdAt', 'r.state'])
    .select(['r.market_workflow_id as marketWorkflowId', 'r.external_sequence as externalSequence'])
    .select(expression<boolean>`r.state = 'running' and r.external_sequence is null`.as('hasWorker'))
    .select(['p.input', 'p.sealed_input as sealedInput'])
    .where('r.id', '=', runId)
    .forNoKeyUpdate('r')
    .$castTo<LockedRun>()
    .executeTakeFirst();
}

/**
 * Stores the sequence of the update and returns the fencing token of the run. If `isBegun`, the run becomes `running` with a
 * new token, and workers of this service no longer claim it. Otherwise it stays as it is, and a worker may still claim it.
 */
async function assignToExternal(sql: Sql, runId: string, update: ParsedUpdate, isBegun: boolean): Promise<number> {
  const startedAt =
    update.startedAt === null
      ? expression<Date>`coalesce(run_started_at, now())`
      : expression<Date>`least(greatest(${update.startedAt}::timestamptz, created_at), now())`;
  const { token } = await queryBuilder<RunTables>(sql)
    .updateTable('workflow_run')
    .set({ external_sequence: update.sequence, updated_at: NOW })
    .$if(isBegun, query =>
      query.set({
        ...{ state: 'running', run_started_at: startedAt, wake_at: null },
        lease_token: nextToken('lease_token'),
      }),
    )
    .where('id', '=', runId)
    .returning('lease_token as token')
    .executeTakeFirstOrThrow();
  return token;
}
