import { type AssignedRunReader, SlotOffers } from '../../../durable/assignment/slot-offers.js';
import { RunWorker, type RunWorkerParts } from '../../../durable/run-worker.js';
import type { AssignedColumns } from './assigned-columns.js';
import { cancelTopic } from './run-canceller.js';
import { type ClaimedRun, RUN_QUEUE, type RunClaims } from './run-claims.js';
import type { RunExecutor } from './run-executor.js';

/** The dependencies of the worker. */
interface WorkflowRunJobParts
  extends Pick<RunWorkerParts<ClaimedRun>, 'queue' | 'database' | 'bus' | 'log' | 'telemetry' | 'concurrency'> {
  claims: RunClaims;
  assignedRuns: AssignedRunReader<ClaimedRun, AssignedColumns>;
  executor: RunExecutor;
}

/** Executes workflow runs. */
export class WorkflowRunJob extends RunWorker<ClaimedRun> {
  readonly #offers: SlotOffers<ClaimedRun, AssignedColumns>;
  #unsubscribe: () => void = () => {};

  constructor(private readonly dependencies: WorkflowRunJobParts) {
    const { assignedRuns, claims, executor, ...parts } = dependencies;
    super({
      ...parts,
      kind: 'workflow',
      queueName: RUN_QUEUE,
      claims,
      execute: (run, signal, freeSlot) => executor.execute(run, signal, freeSlot),
      cancelTopic,
    });
    claims.renewWith(runs => this.renew(runs));
    this.#offers = new SlotOffers({ ...parts, source: this, reader: assignedRuns });
  }

  override start(): void {
    super.start();
    const { queue, claims } = this.dependencies;
    queue.superviseWith(
      'restoring jobs',
      () => claims.restoreJobs(),
      () => claims.restoreJobs(true),
    );
    // Assigned runs would overtake the jobs.
    this.#unsubscribe = queue.onArrival(RUN_QUEUE, () => this.#offers.withdraw());
    this.#offers.start();
  }

  override async stop(graceMs: number): Promise<void> {
    const startedAt = performance.now();
    this.#unsubscribe();
    await this.#offers.stop();
    await super.stop(Math.max(0, graceMs - (performance.now() - startedAt)));
  }
}
