import type { PgBoss } from 'pg-boss';

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
 * @returns the ids of the workers, for `offWork`
 */
export function startQueueWorkers<Data extends object>(
  boss: PgBoss,
  queue: string,
  concurrency: number,
  handle: (job: { id: string; data: Data }) => Promise<void>,
): Promise<string[]> {
  return Promise.all(
    Array.from({ length: concurrency }, async () => {
      const worker = boss.work<Data>(
        queue,
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
  );
}
