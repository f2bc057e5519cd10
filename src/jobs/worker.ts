import type { Queue } from '../base/queue.js';
import type { IdempotencyExpiry } from '../resources/accounts/idempotency-expiry.js';
import type { DocumentFiles } from '../resources/documents/document-files.js';
import type { RecognitionJob } from '../resources/recognition/recognition.job.js';
import { RECOGNITION_QUEUE } from '../resources/recognition/recognition-work.js';
import { RUN_QUEUE } from '../resources/workflow-runs/run-acceptor.js';
import type { RunRetention } from '../resources/workflow-runs/run-retention.js';
import type { WorkflowRunJob } from '../resources/workflow-runs/workflow-run.job.js';

export interface Worker {
  stop(graceMs: number): Promise<void>;
}

/** The queues of the product; created or brought up to date by every process before it sends or fetches. */
export async function ensureQueues({ boss }: Queue): Promise<void> {
  // A wake-up is acknowledged as soon as its run is claimed: one that stays active longer belongs to a dead worker.
  await ensureQueue(boss, RUN_QUEUE, {
    notify: true,
    retryLimit: 1_000,
    retryDelay: 0,
    expireInSeconds: 15,
    retentionSeconds: 30 * 86_400,
  });
  // Its worker tells every few seconds that it lives, and how often a run is begun is counted by the run itself.
  await ensureQueue(boss, RECOGNITION_QUEUE, {
    notify: true,
    retryLimit: 10,
    retryDelay: 1,
    heartbeatSeconds: 10,
    expireInSeconds: 1_800,
    retentionSeconds: 30 * 86_400,
  });
}

type QueueOptions = Parameters<Queue['boss']['createQueue']>[1];

async function ensureQueue(boss: Queue['boss'], name: string, options: QueueOptions): Promise<void> {
  if (await boss.getQueue(name)) await boss.updateQueue(name, options);
  else await boss.createQueue(name, options);
}

/** Starts whatever this process works off. A new kind of job adds its line here. */
export function startWorker({
  runJob,
  recognitionJob,
  files,
  retention,
  expiry,
}: {
  runJob: WorkflowRunJob;
  recognitionJob: RecognitionJob;
  files: DocumentFiles;
  retention: RunRetention;
  expiry: IdempotencyExpiry;
}): Worker {
  runJob.start();
  recognitionJob.start();
  files.start();
  retention.start();
  expiry.start();
  return {
    async stop(graceMs) {
      retention.stop();
      expiry.stop();
      files.stop();
      await Promise.all([runJob.stop(graceMs), recognitionJob.stop(graceMs)]);
    },
  };
}
