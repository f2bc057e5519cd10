import { waitAtMost } from '../platform/async/wait-at-most.js';
import type { Log } from '../platform/logging/log.js';
import { Notifier } from '../platform/messaging/notifier.js';
import type { Queue } from './queue.js';
import type { Worker } from './worker.js';

/** Polling interval for jobs without a notification: repeated ones, and those whose notification was lost. */
const POLLING_MS = 5_000;

interface Parts {
  queue: Pick<Queue, 'boss' | 'onArrival'>;
  log: Log;
}

interface ProjectJob {
  id: string;
  retryCount: number;
}

/**
 * Starts workers for a queue whose jobs have their project as their group. Projects take turns, and each has at most one active job in this
 * process. Jobs of one project are executed in the order in which they were sent.
 *
 * @param concurrency maximum number of active jobs
 *
 * @param handle executes a job. If it throws, pg-boss repeats the job according to its queue
 */
export function startFairWorkers(
  parts: Parts,
  name: string,
  concurrency: number,
  handle: (job: { id: string }) => Promise<void>,
): Worker {
  const workers = new FairWorkers(parts, name, concurrency, handle);
  workers.start();
  return workers;
}

class FairWorkers implements Worker {
  /** By project. A job without a project counts as a project of its own. */
  readonly #active = new Map<string, { job: ProjectJob; done: Promise<void> }>();
  /** The projects that have had their turn since all of them could have one. */
  readonly #served = new Set<string>();
  readonly #notifier = new Notifier();
  #isStopping = false;
  #loop: Promise<void> | undefined;
  #unsubscribe: () => void = () => {};

  constructor(
    private readonly parts: Parts,
    private readonly name: string,
    private readonly concurrency: number,
    private readonly handle: (job: { id: string }) => Promise<void>,
  ) {}

  start(): void {
    this.#unsubscribe = this.parts.queue.onArrival(this.name, () => this.#notifier.notify());
    this.#loop = this.#work();
  }

  /** Waits up to `graceMs` for active jobs. The others fail, so that another process repeats them. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#unsubscribe();
    this.#notifier.notify();
    await this.#loop;
    const idle = Promise.all([...this.#active.values()].map(({ done }) => done));
    await waitAtMost(graceMs, idle);
    const stopped = new Error('The process stopped.');
    await Promise.all([...this.#active.values()].map(({ job }) => this.#settle(job, stopped)));
  }

  async #work(): Promise<void> {
    while (!this.#isStopping) {
      this.#notifier.listen();
      const isStarted = this.#active.size < this.concurrency && (await this.#startNext());
      if (!isStarted) await this.#notifier.wait(POLLING_MS);
    }
  }

  /** Returns false if no job is due. */
  async #startNext(): Promise<boolean> {
    const { log } = this.parts;
    try {
      let job = await this.#fetch([...this.#active.keys(), ...this.#served]);
      if (!job && this.#served.size > 0) {
        this.#served.clear();
        job = await this.#fetch([...this.#active.keys()]);
      }
      if (!job) return false;
      const project = job.groupId ?? job.id;
      this.#served.add(project);
      this.#active.set(project, { job, done: this.#execute(project, job) });
      return true;
    } catch (error) {
      log.warn({ err: error, queue: this.name }, 'fetching jobs failed; trying again');
      return false;
    }
  }

  async #fetch(ignoreGroups: string[]): Promise<(ProjectJob & { groupId?: string | null }) | undefined> {
    const [job] = await this.parts.queue.boss.fetch(this.name, { batchSize: 1, ignoreGroups });
    return job as unknown as ProjectJob | undefined;
  }

  async #execute(project: string, job: ProjectJob): Promise<void> {
    const error = await this.handle({ id: job.id }).then(
      () => undefined,
      (thrown: unknown) => thrown ?? new Error('The job failed.'),
    );
    await this.#settle(job, error);
    this.#active.delete(project);
    this.#notifier.notify();
  }

  /** A job that cannot be settled expires and is repeated. */
  async #settle(job: ProjectJob, error: unknown): Promise<void> {
    const { queue, log } = this.parts;
    try {
      if (error === undefined) await queue.boss.complete(this.name, job);
      else await queue.boss.fail(this.name, job, error as object);
    } catch (failure) {
      log.warn({ err: failure, queue: this.name }, 'settling a job failed');
    }
  }
}
