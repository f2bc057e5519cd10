import { setTimeout } from 'node:timers/promises';
import type { QueueResult } from 'pg-boss';
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
  const stored = new Map((await queue.boss.getQueues()).map(one => [one.name, one]));
  for (const [name, options] of Object.entries(queues)) await ensureQueue(queue, name, options, stored.get(name));
}

async function ensureQueue(queue: Queue, name: string, options: QueueOptions, stored: QueueResult | undefined) {
  const { boss } = queue;
  // pg-boss cannot change the policy of an existing queue.
  const { policy: _policy, ...changeable } = options;
  const members = Object.keys(changeable) as (keyof typeof changeable)[];
  if (!stored) await boss.createQueue(name, options);
  else if (members.some(member => stored[member] !== changeable[member])) await boss.updateQueue(name, changeable);
  await queue.prepare(name);
}

/**
 * Pause in milliseconds between the starts of two jobs. The statements of jobs that start together wait for each other, so that
 * their pool opens further connections, whose first statements take PostgreSQL 20 to 40 ms.
 */
const PAUSE_MS = 20;

/** Starts the jobs in turn and returns a handle that stops them. */
export function startWorker(jobs: readonly Job[]): Worker {
  const started: Job[] = [];
  let isStopping = false;
  const starting = (async () => {
    for (const job of jobs) {
      if (isStopping) return;
      job.start();
      started.push(job);
      await setTimeout(PAUSE_MS);
    }
  })();
  return {
    async stop(graceMs) {
      isStopping = true;
      await starting;
      await Promise.all(started.map(job => job.stop(graceMs)));
    },
  };
}
