import type { Queue, QueueOptions } from './queue.js';

/** A started set of jobs. `stop` waits up to `graceMs` milliseconds for active work. */
export interface Worker {
  stop(graceMs: number): Promise<void>;
}

/** A kind of work that is taken from a queue. */
export interface Job {
  /** The label of its metrics. Without a label, active work is not counted. */
  readonly kind?: string;
  /** The number of active work items. */
  readonly active?: number;
  start(): void;
  /** Stops taking work, waits up to `graceMs` for active work, then returns the rest to the queue. */
  stop(graceMs: number): Promise<void>;
}

/** Creates or updates the queues. Every process calls this before it sends or fetches jobs. */
export async function ensureQueues(queue: Queue, queues: Readonly<Record<string, QueueOptions>>): Promise<void> {
  for (const [name, options] of Object.entries(queues)) await ensureQueue(queue, name, options);
}

async function ensureQueue(queue: Queue, name: string, options: QueueOptions): Promise<void> {
  const { boss } = queue;
  // pg-boss cannot change the policy of an existing queue.
  const { policy: _policy, ...changeable } = options;
  if (await boss.getQueue(name)) await boss.updateQueue(name, changeable);
  else await boss.createQueue(name, options);
  await queue.prepare(name);
}

/** Starts all jobs and returns a handle that stops them. */
export function startWorker(jobs: readonly Job[]): Worker {
  for (const job of jobs) job.start();
  return {
    async stop(graceMs) {
      await Promise.all(jobs.map(job => job.stop(graceMs)));
    },
  };
}
