import { timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { RunFiles } from '../../files/run-files.js';
import type { Revision } from '../../workflows/revision-store.js';
import type { WorkflowRunReceipt } from '../history/workflow-run.inputs.js';
import type { RunResult } from '../journal/run-payloads.js';
import type { RunTables } from '../run-tables.js';
import type { EarlyExecution } from './early-execution.js';
import type { QueueDepth } from './queue-depth.js';
import type { NewRun, RunAcceptor } from './run-acceptor.js';
import { budgetExceeded, type Preparation, type RunPreparer } from './run-preparer.js';

/** The identity and origin of a prepared run. */
export type Admission = Pick<
  NewRun,
  | 'id'
  | 'projectId'
  | 'workflowId'
  | 'revisionId'
  | 'userId'
  | 'graph'
  | 'ancestry'
  | 'forkedFromId'
  | 'prefix'
  | 'viewerIsAdmin'
> & {
  /** The state of the run if it is not refused. */
  state: 'queued' | 'draft';
};

/** A run that the viewer starts with a revision. `id`: default a new one. */
export function startOf(
  viewer: Viewer,
  { projectId, workflowId, id: revisionId }: Pick<Revision, 'id' | 'projectId' | 'workflowId'>,
  {
    id = timeOrderedUuid(),
    state,
    ancestry = [],
  }: { id?: string | undefined; state: Admission['state']; ancestry?: readonly number[] | undefined },
): Admission {
  return { id, projectId, workflowId, revisionId, userId: viewer.userId, state, ancestry };
}

/** Inserts prepared runs and builds their receipts. */
export class RunAdmission {
  constructor(
    private readonly database: Database,
    private readonly preparer: RunPreparer,
    private readonly acceptor: RunAcceptor,
    private readonly depth: QueueDepth,
    private readonly files: RunFiles,
    /** Undefined in processes that execute no runs. */
    private readonly early?: EarlyExecution,
  ) {}

  /**
   * Inserts a run and returns its receipt, or undefined when it was not inserted (`RunAcceptor.accept`). With `revision`, the run may be
   * executed before it is inserted; the caller sees no difference.
   */
  async admit(run: Admission, prepared: Preparation, revision?: Revision): Promise<WorkflowRunReceipt | undefined> {
    const state = prepared.status === 201 ? run.state : 'failed';
    const sealed = this.preparer.seal(run.id, prepared);
    const { prefix, ...rest } = run;
    const reusable = state === 'failed' || !prefix ? {} : { prefix };
    const { environment = null, result } = prepared;
    const newRun: NewRun = { ...rest, ...reusable, state, ...sealed, environment, result };
    const accept = async (accepted: NewRun) => {
      // A run that is complete when it is inserted takes no place in the queue.
      if (accepted.state !== 'queued' || accepted.prefix?.end) return this.acceptor.accept(accepted);
      return this.acceptor.accept({ ...accepted, runsAhead: await this.checkQueue(accepted.projectId) });
    };
    const isNew = revision && this.early ? await this.early.admit(newRun, revision, accept) : await accept(newRun);
    // After the insertion, because files of runs that do not exist are deleted. If the process dies before, the nodes that read
    // the files keep them (`RunFiles`).
    if (isNew) await this.keepFiles(run, prepared);
    return isNew ? toReceipt(run.id, prepared, state) : undefined;
  }

  /** Keeps the files in the input of an accepted run as long as its result. */
  async keepFiles(
    { id, projectId }: Pick<NewRun, 'id' | 'projectId'>,
    { fileIds = [] }: Preparation,
    sql: Sql = this.database,
  ): Promise<void> {
    if (fileIds.length > 0) await this.files.keep(projectId, fileIds, id, sql);
  }

  /**
   * Returns the number of queued runs of the project ahead of a new one. Throws RateLimitedError when the queue of
   * the project is full.
   */
  checkQueue(projectId: number): Promise<number> {
    return this.depth.check(projectId);
  }

  /** Rebuilds the receipt of the original request, regardless of the current state of the run. */
  async receiptOf(runId: string): Promise<WorkflowRunReceipt> {
    const row = await queryBuilder<RunTables>(this.database)
      .selectFrom('workflow_run as r')
      .leftJoin('workflow_run_payload as p', join =>
        join.onRef('p.run_id', '=', 'r.id').onRef('p.run_created_at', '=', 'r.created_at'),
      )
      .select(['r.state', 'r.queued_at as queuedAt', expression<RunResult | null>`p.result`.as('result')])
      .where('r.id', '=', runId)
      .executeTakeFirst();
    if (!row) throw new Error(`run ${runId} does not exist`);
    const isRefused = row.state === 'failed' && row.queuedAt === null;
    if (!isRefused) return toReceipt(runId, { status: 201, result: null }, row.state === 'draft' ? 'draft' : 'queued');
    return toReceipt(runId, { status: statusOf(row.result), result: row.result }, 'failed');
  }
}

/** Returns the inner status of a refused run. */
function statusOf(result: RunResult | null): Preparation['status'] {
  if (result?.data) return 422;
  return (result?.error as { code?: string } | undefined)?.code === budgetExceeded.code ? 402 : 400;
}

/** Builds the receipt of an accepted or refused run. */
export function toReceipt(
  runId: string,
  { status, result }: Pick<Preparation, 'status' | 'result'>,
  state: 'queued' | 'draft' | 'failed',
): WorkflowRunReceipt {
  return {
    status,
    runId,
    refusal: result?.refusal ?? null,
    data: {
      id: runId,
      status: state,
      data: result?.data ?? null,
      output: null,
      error: result?.error ?? null,
    },
  };
}
