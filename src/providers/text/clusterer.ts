import { Worker } from 'node:worker_threads';
import type { Cluster, Clusterable } from '../../engine/text/cluster.js';
import { UnavailableError } from '../../platform/errors/errors.js';

/** A thread that is not done by then is ended. */
const TIMEOUT_MS = 60_000;
/** Threads at the same time; who comes meanwhile waits, so many at most. */
const AT_ONCE = 1;
const MOST_WAITING = 50;
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/** Groups keywords in threads of their own: a thousand take a tenth of a second, which nobody else is to wait for. */
export class Clusterer {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** Throws an UnavailableError when too many wait already. */
  async clusters(keywords: readonly Clusterable[], signal?: AbortSignal): Promise<Cluster[]> {
    if (keywords.length === 0) return [];
    if (this.#waiting.length >= MOST_WAITING) throw new UnavailableError('Too many keywords are being clustered.');
    while (this.#running >= AT_ONCE) await new Promise<void>(resolve => this.#waiting.push(resolve));
    this.#running++;
    try {
      signal?.throwIfAborted();
      return await inThread(keywords);
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }
}

async function inThread(keywords: readonly Clusterable[]): Promise<Cluster[]> {
  const thread = new Worker(new URL('./cluster-thread.js', import.meta.url), {
    env: {},
    execArgv: [],
    name: 'clusters',
    resourceLimits,
    workerData: keywords,
  });
  const timer = setTimeout(() => void thread.terminate(), TIMEOUT_MS);
  try {
    return await new Promise<Cluster[]>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', () => reject(new Error('the thread that groups keywords ended')));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
