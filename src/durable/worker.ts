import type { Queue, QueueOptions } from './queue.js';

export interface Worker {
  stop(graceMs: number): Promise<void>;
}

/** A kind of work that is taken from a queue. */
export interface Job {
  /** The label of its metrics; absent: its work under way is not counted. */
  readonly kind?: string;
  /** Pieces of work under way now. */
  readonly active?: number;
  start(): void;
  /** Takes no more, lets what is under way finish within `graceMs`, then hands the rest back. */
  stop(graceMs: number): Promise<void>;
}

/** Creates the queues or brings them up to date. Every process does so before it sends or fetches. */
export async function ensureQueues(queue: Queue, queues: Readonly<Record<string, QueueOptions>>): Promise<void> {
  for (const [name, options] of Object.entries(queues)) await ensureQueue(queue, name, options);
}

async function ensureQueue(queue: Queue, name: string, options: QueueOptions): Promise<void> {
  const { boss } = queue;
  // The policy of a queue is fixed when it is created.
  const { policy: _policy, ...changeable } = options;
  if (await boss.getQueue(name)) await boss.updateQueue(name, changeable);
  else await boss.createQueue(name, options);
  await queue.prepare(name);
}

/** Starts the jobs. */
export function startWorker(jobs: readonly Job[]): Worker {
  for (const job of jobs) job.start();
  return {
    async stop(graceMs) {
      await Promise.all(jobs.map(job => job.stop(graceMs)));
    },
  };
}
