import { LeasedRuns } from '../../../durable/leased-runs.js';
import type { Queue } from '../../../durable/queue.js';
import type { Database } from '../../../platform/database/database.js';
import type { Log } from '../../../platform/logging/log.js';
import type { Bus } from '../../../platform/messaging/bus.js';
import type { Telemetry } from '../../../platform/tracing/telemetry.js';
import { RUN_QUEUE, type RunAcceptor } from '../admission/run-acceptor.js';
import { cancelTopic } from './run-canceller.js';
import type { RunExecutor } from './run-executor.js';
import type { ClaimedRun, RunLeases } from './run-leases.js';

/** Executes runs of workflows. */
export class WorkflowRunJob extends LeasedRuns<ClaimedRun> {
  constructor(
    queue: Queue,
    database: Database,
    bus: Bus,
    leases: RunLeases,
    acceptor: RunAcceptor,
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
      hasJobs: false,
      leases,
      wake: (_ids, sql) => acceptor.wake(sql),
      execute: (run, signal) => executor.execute(run, signal),
      cancelTopic,
    });
  }
}
