import { Worker } from 'node:worker_threads';
import { OpenApiError } from '../../engine/openapi/open-api-error.js';
import type { ApiDescription } from '../../engine/openapi/read-document.js';
import { UnavailableError } from '../../platform/errors/errors.js';
import { LabeledCounter } from '../../platform/metrics/labeled-counter.js';

/** A thread that takes longer is ended. */
const TIMEOUT_MS = 30_000;
const MAX_WAITING = 20;
const resourceLimits = { maxOldGenerationSizeMb: 256 };

export type ThreadAnswer = { description: ApiDescription } | { fault: string };

/** Reads OpenAPI documents in worker threads, one at a time, because large ones would block the event loop. */
export class OpenApiReader {
  readonly documents = new LabeledCounter(['outcome']);
  #isBusy = false;
  readonly #waiting: (() => void)[] = [];

  /** Throws an OpenApiError, or an UnavailableError if too many calls wait. */
  async read(text: string, signal: AbortSignal): Promise<ApiDescription> {
    if (this.#waiting.length >= MAX_WAITING)
      throw new UnavailableError('Too many documents are being imported. Try again later.');
    while (this.#isBusy) await new Promise<void>(resolve => this.#waiting.push(resolve));
    this.#isBusy = true;
    try {
      signal.throwIfAborted();
      const answer = await inThread(text);
      this.documents.count(['fault' in answer ? 'refused' : 'read']);
      if ('fault' in answer) throw new OpenApiError(answer.fault);
      return answer.description;
    } finally {
      this.#isBusy = false;
      this.#waiting.shift()?.();
    }
  }
}

async function inThread(text: string): Promise<ThreadAnswer> {
  const thread = new Worker(new URL('./open-api-thread.js', import.meta.url), {
    env: {},
    execArgv: [],
    name: 'openapi',
    resourceLimits,
    workerData: { text },
  });
  const timer = setTimeout(() => void thread.terminate(), TIMEOUT_MS);
  try {
    return await new Promise<ThreadAnswer>(resolve => {
      thread.once('message', resolve);
      thread.once('error', () => resolve({ fault: 'The document is too large or too complex to be read.' }));
      thread.once('exit', () => resolve({ fault: 'The document takes too long to be read.' }));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
