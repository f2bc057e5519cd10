import { nextTokenSql } from '../../../durable/lease-token.js';
import type { Queue } from '../../../durable/queue.js';
import type { RunState } from '../../../engine/status.js';
import { GraphError } from '../../../engine/workflow/graph/graph.js';
import { progressOf, resultOf } from '../../../engine/workflow/run/progress.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { ForbiddenError, NotFoundError } from '../../../platform/errors/errors.js';
import { Bus } from '../../../platform/messaging/bus.js';
import { sum } from '../../../platform/money/money.js';
import { OPERATOR, type Viewer } from '../../accounts/viewer.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import { openInput, secretsOf } from '../admission/sealed-input.js';
import { cancelTopic } from '../execution/run-canceller.js';
import { type ClaimedRun, RUN_QUEUE } from '../execution/run-claims.js';
import { hiderOf } from '../execution/run-hider.js';
import type { WorkflowRunDelivery } from '../history/workflow-run.inputs.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import { engineEvents, type JournalEvent, RunJournal } from '../journal/run-journal.js';
import { CHARGE } from '../journal/run-ledger.js';
import type { RunRecorder } from '../journal/run-recorder.js';
import { eventsOf, type KnownCharge, ledgerOf } from './execution-update.events.js';
import { type ReadUpdate, readUpdate } from './execution-update.reading.js';
import type { ExecutionUpdateInput } from './execution-update.type.js';

interface LockedRun
  extends Pick<
    ClaimedRun,
    'id' | 'projectId' | 'parentRunId' | 'revisionId' | 'sequence' | 'workedMs' | 'createdAt' | 'marketWorkflowId'
  > {
  state: RunState;
  externalSequence: number | null;
  /** A worker of ours has it. */
  isExecuted: boolean;
  input: Record<string, unknown>;
  sealedInput: string | null;
}

const LOCK = `
  select r.id, r.project_id as "projectId", r.parent_run_id as "parentRunId", r.revision_id as "revisionId", r.sequence,
         r.worked_ms as "workedMs", r.created_at as "createdAt", r.market_workflow_id as "marketWorkflowId", r.state, r.external_sequence as "externalSequence",
         r.state = 'running' and r.external_sequence is null as "isExecuted", p.input, p.sealed_input as "sealedInput"
    from workflow_run r join workflow_run_payload p on p.run_id = r.id and p.run_created_at = r.created_at
   where r.id = $1 for no key update of r`;

// A run that somebody else executes has no job: no worker of ours takes it.
const TAKE_OVER = `
  update workflow_run
     set external_sequence = $2, lease_token = ${nextTokenSql('lease_token')}, updated_at = now(),
         state = case when $3 then 'running' else state end, wake_at = null,
         run_started_at = case when not $3 then run_started_at
                               when $4::timestamptz is null then coalesce(run_started_at, now())
                               else least(greatest($4::timestamptz, created_at), now()) end
   where id = $1 returning lease_token as token`;

const CHARGED = `select node_id as "nodeId", operation from billing_transaction where run_id = $1`;

/** What an execution service of the operator's own reports of runs. */
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
   * Takes an update in. One that is not newer than the last, one for a run that has ended or is a draft, and one for a
   * run that a worker of ours executes change nothing. Answers the run as it then stands.
   */
  async take(viewer: Viewer, runId: string, given: ExecutionUpdateInput): Promise<WorkflowRunDelivery> {
    if (viewer.via !== 'service') throw new ForbiddenError();
    const update = readUpdate(given);
    await this.database.transaction(sql => this.#take(sql, runId, update));
    return this.runs.deliver(OPERATOR, runId);
  }

  async #take(sql: Sql, runId: string, update: ReadUpdate): Promise<void> {
    const [run] = await sql.query<LockedRun>(LOCK, [runId]);
    if (!run) throw new NotFoundError();
    const isOpen = run.state === 'queued' || run.state === 'running' || run.state === 'waiting';
    if (!isOpen || run.isExecuted || update.sequence <= (run.externalSequence ?? -1)) return;
    const isBegun = update.status !== 'in queue';
    const [taken] = await sql.query<{ token: number }>(TAKE_OVER, [runId, update.sequence, isBegun, update.startedAt]);
    if (!isBegun) return;
    await this.queue.complete(RUN_QUEUE, [runId], sql);
    await this.#record(sql, { ...run, token: taken!.token }, update);
    await Bus.notify(sql, [cancelTopic(runId)]);
  }

  async #record(sql: Sql, run: LockedRun & { token: number }, update: ReadUpdate): Promise<void> {
    const revision = await this.revisions.get(run.revisionId, sql);
    const graph = revision.graph instanceof GraphError ? null : revision.graph;
    const secrets = secretsOf(openInput(this.vault, run), revision.secrets);
    const hide = graph ? hiderOf(graph, run.input, secrets) : (event: RunEvent) => event;

    const earlier = engineEvents((await new RunJournal(sql).read(run.id))?.events ?? []);
    const reported = eventsOf(update, progressOf(earlier), new Date().toISOString()).map(hide);
    const events = reported.map((event, index): JournalEvent => ({ ...event, sequence: run.sequence + 1 + index }));
    const known = await sql.query<KnownCharge>(CHARGED, [run.id]);
    const ledger = ledgerOf(run.id, update, { events: [...earlier, ...reported], known, graph });
    if (events.length === 0) {
      if (ledger.length > 0) await sql.query(CHARGE, [run.id, JSON.stringify(ledger)]);
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

const END_STATES: Partial<Record<ReadUpdate['status'], 'succeeded' | 'failed'>> = {
  succeed: 'succeeded',
  failed: 'failed',
};
