import { Worker } from 'node:worker_threads';
import type { Reply, Task } from './protocol.js';

export interface PoolOptions {
  /** Threads, no fewer than jobs are added at the same time. */
  size: number;
  /** After so long without work a thread ends and gives its memory back. */
  idleMs: number;
  /** Beyond a script's own time: it ends itself, but a built-in function at work may not look at the clock. */
  graceMs: number;
}

interface Job {
  task: Task;
  /** The script is with its thread: from here on its time counts. */
  onStart(): void;
  onReply(reply: Reply): void;
  onLate(): void;
  onCrash(error: Error): void;
}

/** A bound for the thread's own heap, which holds texts on their way; the script's memory has its own limit. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** Threads that are started when there is work, each with one job at a time. A job waits only for a thread to start. */
export class Pool {
  readonly #waiting: Job[] = [];
  readonly #threads = new Set<Thread>();

  constructor(private readonly options: PoolOptions) {}

  /** Returns how to give the job up, at work or waiting. */
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
          // Each thread that cannot start costs one job: starting again for the same one might never end.
          onStartFailure: error => this.#waiting.shift()?.onCrash(error),
        }),
      );
    }
  }

  async #discard(thread: Thread): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    const ended = thread.end();
    this.#assign();
    await ended;
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
    // The interpreter prints its failed assertions; what they mean is in the reply.
    stderr: true,
  });
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: PoolOptions,
    private readonly events: ThreadEvents,
  ) {
    this.#worker.on('message', (message: 'ready' | Reply) => {
      if (message === 'ready') return this.#rest();
      const { job } = this;
      this.job = undefined;
      if (message.isWorn) events.onEnd(this);
      else this.#rest();
      job?.onReply(message);
    });
    this.#worker.on('error', error => this.#crash(error));
    this.#worker.on('exit', () => this.#crash(new Error('the thread ended')));
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
      job.onLate();
    }, job.task.timeoutMs + this.options.graceMs);
    this.#worker.postMessage(job.task);
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#worker.removeAllListeners();
    this.#worker.on('error', () => {});
    await this.#worker.terminate();
  }

  /** A resting thread keeps neither the process alive nor its memory for long. */
  #rest(): void {
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
