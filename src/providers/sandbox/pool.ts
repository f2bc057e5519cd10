import { Worker } from 'node:worker_threads';
import type { Reply, Task } from './protocol.js';

export interface PoolOptions {
  /** Maximum threads, at least the number of concurrent jobs. */
  size: number;
  /** An idle thread ends after this time and frees its memory. */
  idleMs: number;
  /** Added to the timeout of a script before its thread is ended. A running built-in function may not check the time limit. */
  graceMs: number;
}

interface Job {
  task: Task;
  /** Called when a thread starts the script. Its time limit starts then. */
  onStart(): void;
  onReply(reply: Reply): void;
  onTimeout(): void;
  onCrash(error: Error): void;
}

/** Limits the thread's own heap, which holds texts in transit. The memory of the script has its own limit. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** A pool of threads that start on demand, each with one job at a time. A job waits only for a thread to start. */
export class Pool {
  readonly #waiting: Job[] = [];
  readonly #threads = new Set<Thread>();

  constructor(private readonly options: PoolOptions) {}

  /** Adds a job. Returns the function that cancels it, waiting or running. */
  add(job: Job): () => void {
    this.#waiting.push(job);
    this.#assign();
    return () => {
      const at = this.#waiting.indexOf(job);
      if (at >= 0) this.#waiting.splice(at, 1);
      for (const thread of this.#threads) if (thread.job === job) void this.#discard(thread);
    };
  }

  get size(): number {
    return this.#threads.size;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads].map(thread => this.#discard(thread)));
  }

  #assign(): void {
    for (const thread of this.#threads) {
      const job = thread.isFree ? this.#waiting.shift() : undefined;
      if (job) thread.start(job);
    }
    const starting = [...this.#threads].filter(thread => thread.isStarting).length;
    for (let more = this.#waiting.length - starting; more > 0 && this.#threads.size < this.options.size; more--) {
      this.#threads.add(
        new Thread(this.options, {
          onFree: () => this.#assign(),
          onEnd: thread => void this.#discard(thread),
          // Fails one job for each thread that cannot start, because retries for the same job might never end.
          onStartFailure: error => this.#waiting.shift()?.onCrash(error),
        }),
      );
    }
  }

  async #discard(thread: Thread): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    const end = thread.end();
    this.#assign();
    await end;
  }
}

interface ThreadEvents {
  onFree(): void;
  onEnd(thread: Thread): void;
  onStartFailure(error: Error): void;
}

class Thread {
  job: Job | undefined;
  isStarting = true;
  readonly #worker = new Worker(new URL('./thread.js', import.meta.url), {
    env: {},
    execArgv: [],
    name: 'sandbox',
    resourceLimits,
    // Hides failed assertions that the interpreter prints. The reply reports them.
    stderr: true,
  });
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: PoolOptions,
    private readonly events: ThreadEvents,
  ) {
    this.#worker.on('message', (message: 'ready' | Reply) => {
      if (message === 'ready') return this.#markIdle();
      const { job } = this;
      this.job = undefined;
      if (message.mustEnd) events.onEnd(this);
      else this.#markIdle();
      job?.onReply(message);
    });
    this.#worker.on('error', error => this.#crash(error));
    this.#worker.on('exit', () => this.#crash(new Error('the sandbox thread ended')));
  }

  get isFree(): boolean {
    return !this.isStarting && this.job === undefined;
  }

  start(job: Job): void {
    this.job = job;
    job.onStart();
    clearTimeout(this.#timer);
    this.#worker.ref();
    this.#timer = setTimeout(() => {
      this.job = undefined;
      this.events.onEnd(this);
      job.onTimeout();
    }, job.task.timeoutMs + this.options.graceMs);
    this.#worker.postMessage(job.task);
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#worker.removeAllListeners();
    this.#worker.on('error', () => {});
    await this.#worker.terminate();
  }

  /** Marks the thread as idle. It does not keep the process alive, and ends after `idleMs`. */
  #markIdle(): void {
    this.isStarting = false;
    clearTimeout(this.#timer);
    this.#worker.unref();
    this.#timer = setTimeout(() => this.events.onEnd(this), this.options.idleMs).unref();
    this.events.onFree();
  }

  #crash(error: Error): void {
    const { job } = this;
    this.job = undefined;
    if (this.isStarting) this.events.onStartFailure(error);
    this.events.onEnd(this);
    job?.onCrash(error);
  }
}
