import { Worker } from 'node:worker_threads';
import type { Cluster, Clusterable } from '../../engine/text/cluster.js';
import { UnavailableError } from '../../platform/errors/errors.js';

/** A thread that takes longer is ended. */
const TIMEOUT_MS = 60_000;
/** Concurrent threads. Up to MAX_WAITING further calls wait. */
const MAX_THREADS = 1;
const MAX_WAITING = 50;
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/** Groups keywords in worker threads, because 1,000 keywords take about 100 ms and would block the event loop. */
export class Clusterer {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** Groups the keywords. Throws an UnavailableError if too many calls wait. */
  async clusters(keywords: readonly Clusterable[], signal?: AbortSignal): Promise<Cluster[]> {
    if (keywords.length === 0) return [];
    if (this.#waiting.length >= MAX_WAITING)
      throw new UnavailableError('Too many keywords are being clustered. Try again later.');
    while (this.#running >= MAX_THREADS) await new Promise<void>(resolve => this.#waiting.push(resolve));
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
      thread.once('exit', () => reject(new Error('the thread that groups keywords ended without a result')));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
