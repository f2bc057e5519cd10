import { whenReachable } from '../platform/database/database.js';
import type { Log } from '../platform/logging/log.js';
import type { Queue, QueueOptions } from './queue.js';
import { startQueueWorkers } from './queue-workers.js';
import type { Job, Worker } from './worker.js';

/**
 * Periodic work that at most one process executes at a time. It may be interrupted at any point, because the next
 * occurrence completes it.
 */
export interface ScheduledTask {
  /** Unique description for the log, for example `clearing sessions`. */
  name: string;
  /** Schedule in UTC: a cron expression with five fields. */
  cron: string;
  run(): Promise<unknown>;
}

export const HOURLY = '17 * * * *';
export const EVERY_TEN_MINUTES = '*/10 * * * *';
export const EVERY_MINUTE = '* * * * *';

/** The stored name of the pg-boss queue. */
export const TASK_QUEUE = 'chore';

/** Options of the queue of occurrences. A failed occurrence is not retried, because the next one follows soon. */
export const TASK_JOBS: QueueOptions = {
  notify: true,
  retryLimit: 0,
  heartbeatSeconds: 30,
  expireInSeconds: 6 * 3_600,
  retentionSeconds: 3_600,
  deleteAfterSeconds: 60,
};

/**
 * Tasks that one process executes concurrently. With two, a long task does not delay the tasks that are due every
 * minute.
 */
const CONCURRENCY = 2;
/** Every task is also due soon after a process starts, when the first requests no longer compete with it for the database. */
const START_DELAY_SECONDS = 5;
/** Processes that start within this time share one occurrence. */
const STARTED_TOGETHER_SECONDS = 60;

/** Executes scheduled tasks. pg-boss creates one job for each occurrence, regardless of the number of processes. */
export class TaskScheduler implements Job {
  readonly #tasks: ReadonlyMap<string, ScheduledTask>;
  #workers: Promise<Worker | undefined> | undefined;
  readonly #stopped = new AbortController();

  constructor(
    private readonly queue: Queue,
    private readonly log: Log,
    tasks: readonly ScheduledTask[],
  ) {
    this.#tasks = new Map(tasks.map(task => [keyOf(task), task]));
  }

  start(): void {
    const { signal } = this.#stopped;
    this.#workers = whenReachable(() => this.#startWorkers(), signal).catch(error => {
      this.log.error({ err: error }, 'scheduling tasks failed');
      return undefined;
    });
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopped.abort();
    const workers = await this.#workers;
    await workers?.stop(graceMs);
  }

  async #startWorkers(): Promise<Worker> {
    const { boss } = this.queue;
    const stored = new Map((await boss.getSchedules(TASK_QUEUE)).map(({ key, cron }) => [key, cron]));
    for (const key of stored.keys()) if (!this.#tasks.has(key)) await boss.unschedule(TASK_QUEUE, key);
    for (const [key, { cron }] of this.#tasks) {
      if (stored.get(key) !== cron) await boss.schedule(TASK_QUEUE, cron, { key }, { key });
      const together = { singletonKey: key, singletonSeconds: STARTED_TOGETHER_SECONDS };
      await boss.send(TASK_QUEUE, { key }, { ...together, startAfter: START_DELAY_SECONDS });
    }
    return startQueueWorkers<{ key: string }>(
      { queue: this.queue, log: this.log },
      TASK_QUEUE,
      CONCURRENCY,
      ({ data }) => this.#execute(data.key),
    );
  }

  async #execute(key: string): Promise<void> {
    const task = this.#tasks.get(key);
    // A process of another release may have scheduled this task.
    if (!task) return;
    await task.run().catch(error => {
      this.log.warn({ err: error }, `${task.name} failed; the next run tries again`);
    });
  }
}

function keyOf({ name }: ScheduledTask): string {
  return name.replaceAll(' ', '-');
}
