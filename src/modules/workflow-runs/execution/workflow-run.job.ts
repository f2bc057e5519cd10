import type { Queue } from '../../../durable/queue.js';
import { RunWorker } from '../../../durable/run-worker.js';
import type { Database } from '../../../platform/database/database.js';
import type { Log } from '../../../platform/logging/log.js';
import type { Bus } from '../../../platform/messaging/bus.js';
import type { Telemetry } from '../../../platform/tracing/telemetry.js';
import { cancelTopic } from './run-canceller.js';
import { type ClaimedRun, RUN_QUEUE, type RunClaims } from './run-claims.js';
import type { RunExecutor } from './run-executor.js';

/** Executes workflow runs. */
export class WorkflowRunJob extends RunWorker<ClaimedRun> {
  constructor(
    private readonly queue: Queue,
    database: Database,
    bus: Bus,
    private readonly claims: RunClaims,
    executor: RunExecutor,
    log: Log,
    telemetry: Telemetry,
    concurrency: number,
  ) {
    super({
      queue,
      database,
      bus,
      log,
      telemetry,
      kind: 'workflow',
      concurrency,
      queueName: RUN_QUEUE,
      claims,
      execute: (run, signal, freeSlot) => executor.execute(run, signal, freeSlot),
      cancelTopic,
    });
    claims.renewWith(runs => this.renew(runs));
  }

  override start(): void {
    super.start();
    this.queue.superviseWith('restoring jobs', () => this.claims.restoreJobs());
  }
}
