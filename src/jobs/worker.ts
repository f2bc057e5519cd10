import type { Queue } from '../base/queue.js';
import type { IdempotencyExpiry } from '../resources/accounts/idempotency-expiry.js';
import type { WebhookDeliveryJob } from '../resources/webhooks/webhook-delivery.job.js';
import { WEBHOOK_QUEUE } from '../resources/webhooks/webhook-outbox.js';
import type { WebhookRetention } from '../resources/webhooks/webhook-retention.js';
import { RUN_QUEUE } from '../resources/workflow-runs/run-acceptor.js';
import type { RunRetention } from '../resources/workflow-runs/run-retention.js';
import type { WorkflowRunJob } from '../resources/workflow-runs/workflow-run.job.js';

export interface Worker {
  stop(graceMs: number): Promise<void>;
}

/** The queues of the product; created or brought up to date by every process before it sends or fetches. */
export async function ensureQueues({ boss }: Queue): Promise<void> {
  // A wake-up is acknowledged as soon as it is heeded: one that stays active longer belongs to a dead worker.
  const options = {
    notify: true,
    retryLimit: 1_000,
    retryDelay: 0,
    expireInSeconds: 15,
    retentionSeconds: 30 * 86_400,
  };
  for (const name of [RUN_QUEUE, WEBHOOK_QUEUE]) {
    if (await boss.getQueue(name)) await boss.updateQueue(name, options);
    else await boss.createQueue(name, options);
  }
}

/** Starts whatever this process works off. A new kind of job adds its line here. */
export function startWorker({
  runJob,
  retention,
  expiry,
  webhookJob,
  webhookRetention,
}: {
  runJob: WorkflowRunJob;
  retention: RunRetention;
  expiry: IdempotencyExpiry;
  webhookJob: WebhookDeliveryJob;
  webhookRetention: WebhookRetention;
}): Worker {
  runJob.start();
  retention.start();
  expiry.start();
  webhookJob.start();
  webhookRetention.start();
  return {
    async stop(graceMs) {
      retention.stop();
      expiry.stop();
      webhookRetention.stop();
      await Promise.all([runJob.stop(graceMs), webhookJob.stop(graceMs)]);
    },
  };
}
