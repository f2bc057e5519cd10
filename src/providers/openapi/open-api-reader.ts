import { Worker } from 'node:worker_threads';
import { OpenApiError } from '../../engine/openapi/open-api-error.js';
import type { ApiDescription } from '../../engine/openapi/read-document.js';
import { UnavailableError } from '../../platform/errors/errors.js';
import { LabeledCounter } from '../../platform/metrics/labeled-counter.js';
import type { SlotGauge } from '../../platform/metrics/slot-gauge.js';
import { FairQueue, QueueFullError } from '../../platform/scheduling/fair-queue.js';

/** A thread that takes longer is ended. */
const TIMEOUT_MS = 10_000;
/** Concurrent threads, of which one project has one. */
const MAX_THREADS = 2;
/** Calls of one project that may wait. */
const MAX_WAITING = 20;
const resourceLimits = { maxOldGenerationSizeMb: 256 };

export type ThreadAnswer = { description: ApiDescription } | { fault: string };

/** Reads OpenAPI documents in worker threads, because large ones would block the event loop. Projects take turns. */
export class OpenApiReader {
  readonly documents = new LabeledCounter(['outcome']);
  readonly #queue: FairQueue;

  constructor(gauge: SlotGauge) {
    this.#queue = new FairQueue({ slots: MAX_THREADS, limit: 1, maxWaiting: MAX_WAITING, gauge });
  }

  /** Throws an OpenApiError, the reason of `signal`, or an UnavailableError if too many calls of the project wait. */
  async read(projectId: number, text: string, signal: AbortSignal): Promise<ApiDescription> {
    const answer = await this.#queue
      .run(projectId, signal, () => inThread(text, signal))
      .catch(error => {
        if (!(error instanceof QueueFullError)) throw error;
        throw new UnavailableError('Too many documents are being imported. Try again later.');
      });
    signal.throwIfAborted();
    this.documents.count(['fault' in answer ? 'refused' : 'read']);
    if ('fault' in answer) throw new OpenApiError(answer.fault);
    return answer.description;
  }
}

/** A thread whose caller no longer waits is ended. */
async function inThread(text: string, signal: AbortSignal): Promise<ThreadAnswer> {
  const thread = new Worker(new URL('./open-api-thread.js', import.meta.url), {
    env: {},
    execArgv: [],
    name: 'openapi',
    resourceLimits,
    workerData: { text },
  });
  const terminate = () => void thread.terminate();
  const timer = setTimeout(terminate, TIMEOUT_MS);
  signal.addEventListener('abort', terminate);
  try {
    return await new Promise<ThreadAnswer>(resolve => {
      thread.once('message', resolve);
      thread.once('error', () => resolve({ fault: 'The document is too large or too complex to be read.' }));
      thread.once('exit', () => resolve({ fault: 'The document takes too long to be read.' }));
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', terminate);
    await thread.terminate();
  }
}
