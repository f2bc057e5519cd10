import { waitAtMost } from '../platform/async/wait-at-most.js';
import type { Log } from '../platform/logging/log.js';
import type { Queue } from './queue.js';
import type { Worker } from './worker.js';

/** Polling interval for jobs whose notification was lost. */
const POLLING_SECONDS = 15;

/**
 * Registers pg-boss workers for one queue, each with one job at a time. A worker fetches again right after each job: pg-boss
 * would otherwise let it wait for the next poll, although further jobs of a burst are ready.
 *
 * @param concurrency number of workers
 *
 * @param handle executes a job. If it throws, pg-boss repeats the job according to its queue
 *
 * @returns a handle that stops the workers. A job that is active after the grace period fails when the queue stops
 */
export function startQueueWorkers<Data extends object>(
  { queue: { boss }, log }: { queue: Pick<Queue, 'boss'>; log: Log },
  name: string,
  concurrency: number,
  handle: (job: { id: string; data: Data }) => Promise<void>,
): Worker {
  const workers = Promise.all(
    Array.from({ length: concurrency }, async () => {
      const worker = boss.work<Data>(
        name,
        { batchSize: 1, pollingIntervalSeconds: POLLING_SECONDS, notifyPollingIntervalSeconds: POLLING_SECONDS },
        async jobs => {
          try {
            for (const job of jobs) await handle(job);
          } finally {
            boss.notifyWorker(await worker);
          }
        },
      );
      return worker;
    }),
  ).catch(error => {
    log.error({ err: error, queue: name }, 'starting queue workers failed');
    return [];
  });
  return {
    async stop(graceMs) {
      const idle = Promise.all((await workers).map(id => boss.offWork(name, { id, wait: true })));
      await waitAtMost(graceMs, idle);
    },
  };
}
