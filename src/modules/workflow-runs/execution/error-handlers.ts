import { startFairWorkers } from '../../../durable/fair-workers.js';
import type { Queue, QueueOptions } from '../../../durable/queue.js';
import type { Job, Worker } from '../../../durable/worker.js';
import { GraphError } from '../../../engine/workflow/graph/graph.js';
import { errorWorkflowIdOf } from '../../../engine/workflow/nodes/flow/trigger.js';
import { derivedUuid } from '../../../platform/crypto/uuid.js';
import type { Database } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import type { Log } from '../../../platform/logging/log.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { Budget } from '../../billing/budgets/budget.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import type { QueueDepth } from '../admission/queue-depth.js';
import type { RunAcceptor } from '../admission/run-acceptor.js';
import type { RunPreparer } from '../admission/run-preparer.js';
import { engineEvents, type RunJournal } from '../journal/run-journal.js';
import { ERROR_HANDLER_QUEUE } from '../journal/run-recorder.js';
import type { RunTables } from '../run-tables.js';
import type { FailureListeners } from './failure-listeners.js';
import { chainOf } from './run-chain.js';
import { runnableRevisionId } from './sub-run.service.js';

/** A job per failed run whose workflow names an error workflow or whose failure listeners handle. The transaction that ends the run sends it. */
export const ERROR_HANDLER_JOBS: QueueOptions = {
  notify: true,
  retryLimit: 100,
  retryDelay: 2,
  retryBackoff: true,
  // Another process then repeats the job, which is harmless also while the first one executes it.
  expireInSeconds: 8,
  deleteAfterSeconds: 60,
};

/** Projects whose jobs a process executes at the same time. */
const CONCURRENCY = 4;

interface Parts {
  database: Database;
  queue: Queue;
  revisions: RevisionStore;
  preparer: RunPreparer;
  acceptor: RunAcceptor;
  depth: QueueDepth;
  budget: Budget;
  journal: RunJournal;
  failures: FailureListeners;
  log: Log;
}

/** Starts the error workflows of failed runs, then the listeners of failures. The id of the started run is derived from the failed one. */
export class ErrorHandlerJob implements Job {
  #workers: Worker | undefined;

  constructor(private readonly parts: Parts) {}

  start(): void {
    this.#workers = startFairWorkers(this.parts, ERROR_HANDLER_QUEUE, CONCURRENCY, ({ id }) => this.#handle(id));
  }

  async stop(graceMs: number): Promise<void> {
    await this.#workers?.stop(graceMs);
  }

  /** A repeated job inserts nothing, because the id of the run is the same. */
  async #handle(failedId: string): Promise<void> {
    const failed = await findFailedRun(this.parts.database, failedId);
    if (!failed) return;
    const input = await this.#inputOf(failedId, failed);
    await this.#startErrorWorkflow(failedId, failed, input);
    failpoint('error-handler.before-listeners');
    await this.parts.failures.handle({ id: failedId, ...failed }, input);
  }

  async #startErrorWorkflow(failedId: string, failed: FailedRunRow, input: Record<string, unknown>): Promise<void> {
    const { database, revisions, preparer, acceptor, depth, budget, log } = this.parts;
    const { projectId } = failed;
    const handlerId = handlerOf((await revisions.get(failed.revisionId)).graph);
    const ancestry = chainOf(failed);
    if (handlerId === null || ancestry.includes(handlerId)) return;
    const revisionId = await runnableRevisionId(database, handlerId, projectId);
    if (revisionId == null) {
      log.warn(
        { runId: failedId, projectId, workflowId: handlerId },
        revisionId === null ? 'error workflow without a published revision' : 'error workflow not found',
      );
      return;
    }
    const prepared = await preparer.prepare(await revisions.get(revisionId), {
      input,
      environment: failed.environment,
    });
    const use = prepared.status === 201 ? await budget.findReachedLimit(projectId) : null;
    const checked = use ? preparer.refuseOverBudget(prepared, use) : prepared;
    const id = derivedUuid(`${failedId}\nerror workflow`);
    await acceptor.accept({
      ...{ id, projectId, workflowId: handlerId, revisionId, userId: failed.userId },
      // A workflow in its own ancestry marks the run as a handler, whose failure starts no other one.
      ancestry: [...ancestry, handlerId],
      state: checked.status === 201 ? 'queued' : 'failed',
      ...preparer.seal(id, checked),
      environment: checked.environment ?? null,
      result: checked.result,
      runsAhead: await depth.countAhead(projectId),
    });
    failpoint('error-handler.started');
  }

  /** Describes the failure. The journal contains masks in place of secrets. */
  async #inputOf(
    runId: string,
    { workflowId, revisionId, finishedAt }: FailedRunRow,
  ): Promise<Record<string, unknown>> {
    const { journal, revisions } = this.parts;
    const events = engineEvents((await journal.read(runId))?.events ?? []);
    const end = events.find(event => event.type === 'run.failed');
    const node = events.find(
      event => event.type === 'node.failed' && !event.continued && event.iteration === undefined,
    );
    const nodeId = node && 'node' in node ? node.node : null;
    const { graph } = await revisions.get(revisionId);
    const label = nodeId === null || graph instanceof GraphError ? null : (graph.byId.get(nodeId)?.label ?? null);
    return {
      ...{ run_id: runId, workflow_id: workflowId, node_id: nodeId, node_label: label },
      error: end?.type === 'run.failed' ? end.error : null,
      failed_at: finishedAt?.toISOString() ?? null,
    };
  }
}

function handlerOf(graph: Parameters<typeof errorWorkflowIdOf>[0] | GraphError): number | null {
  return graph instanceof GraphError ? null : errorWorkflowIdOf(graph);
}

type FailedRunRow = NonNullable<Awaited<ReturnType<typeof findFailedRun>>>;

function findFailedRun(database: Database, id: string) {
  return queryBuilder<RunTables>(database)
    .selectFrom('workflow_run')
    .select([
      'project_id as projectId',
      'workflow_id as workflowId',
      'revision_id as revisionId',
      'ancestry',
      'environment',
    ])
    .select(['user_id as userId', 'run_finished_at as finishedAt'])
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .executeTakeFirst();
}
