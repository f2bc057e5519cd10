import type { Queue } from '../base/queue.js';
import { RUN_QUEUE } from '../resources/workflow-runs/run-acceptor.js';
import type { WorkflowRunJob } from '../resources/workflow-runs/workflow-run.job.js';

export interface Worker {
  stop(graceMs: number): Promise<void>;
}

/** Rounds that come again and again: what has expired is deleted. Safe beside themselves in another process. */
export interface Housekeeping {
  start(): void;
  stop(): void;
}

export interface WorkerParts {
  runJob: WorkflowRunJob;
  housekeeping: readonly Housekeeping[];
}

/** The queues of the product; created or brought up to date by every process before it sends or fetches. */
export async function ensureQueues({ boss }: Queue): Promise<void> {
  // A wake-up is acknowledged as soon as its run is claimed: one that stays active longer belongs to a dead worker.
  const options = {
    notify: true,
    retryLimit: 1_000,
    retryDelay: 0,
    expireInSeconds: 15,
    retentionSeconds: 30 * 86_400,
  };
  if (await boss.getQueue(RUN_QUEUE)) await boss.updateQueue(RUN_QUEUE, options);
  else await boss.createQueue(RUN_QUEUE, options);
}

/** Starts whatever this process works off. A new kind of job adds its line here. */
export function startWorker({ runJob, housekeeping }: WorkerParts): Worker {
  runJob.start();
  for (const rounds of housekeeping) rounds.start();
  return {
    async stop(graceMs) {
      for (const rounds of housekeeping) rounds.stop();
      await runJob.stop(graceMs);
    },
  };
}
