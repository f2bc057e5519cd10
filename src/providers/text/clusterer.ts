import { Worker } from 'node:worker_threads';
import type { Cluster, Clusterable } from '../../engine/text/cluster.js';
import type { AbortSignalLike } from '../../platform/async/abort-signal.js';
import { UnavailableError } from '../../platform/errors/errors.js';
import type { SlotGauge } from '../../platform/metrics/slot-gauge.js';
import { FairQueue, QueueFullError } from '../../platform/scheduling/fair-queue.js';

/** A thread that takes longer is ended. */
const TIMEOUT_MS = 60_000;
/** Concurrent threads. Up to MAX_WAITING further calls of one project wait. */
const MAX_THREADS = 1;
const MAX_WAITING = 50;
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/** Groups keywords in worker threads, because 1,000 keywords take about 100 ms and would block the event loop. Projects take turns. */
export class Clusterer {
  readonly #queue: FairQueue;

  constructor(gauge: SlotGauge) {
    this.#queue = new FairQueue({ slots: MAX_THREADS, maxWaiting: MAX_WAITING, gauge });
  }

  /** Groups the keywords. Throws an UnavailableError if too many calls of the project wait. */
  async clusters(projectId: number, keywords: readonly Clusterable[], signal: AbortSignalLike): Promise<Cluster[]> {
    if (keywords.length === 0) return [];
    return this.#queue
      .run(projectId, signal, () => inThread(keywords))
      .catch(error => {
        if (!(error instanceof QueueFullError)) throw error;
        throw new UnavailableError('Too many keywords are being clustered. Try again later.');
      });
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
