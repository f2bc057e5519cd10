import type { Dispatcher } from 'undici';
import type { AbortSignalLike } from '../async/abort-signal.js';
import { tooLarge } from './body.js';
import type { OutboundRequest } from './calls.js';
import type { RawHeaders } from './headers.js';
import { redirectOf } from './redirect.js';

/** Releases calls that arrive together at the same time. */
export interface Barrier {
  run(work: () => void): void;
}

export interface WholeAnswer {
  statusCode: number;
  headers: RawHeaders;
  /** As received, not decoded. */
  body: Buffer;
}

/**
 * Sends one request and collects the whole response without a stream. Most responses are small, and streams would cost
 * more than the rest of the call. Rejects with the signal's reason, the client's error or the size limit error.
 */
export function fetchWholeAnswer(
  dispatcher: Dispatcher,
  hop: Dispatcher.DispatchOptions,
  request: OutboundRequest,
  signal: AbortSignalLike,
  barrier: Barrier | undefined,
): Promise<WholeAnswer> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(
      hop,
      new Collector(
        hop.method === 'HEAD',
        request,
        signal,
        barrier ? whole => barrier.run(() => resolve(whole)) : resolve,
        reject,
      ),
    );
  });
}

/** Receives the events of the HTTP client. */
class Collector implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #statusCode = 0;
  #headers: RawHeaders = {};
  #size = 0;
  readonly #chunks: Buffer[] = [];
  #isSettled = false;

  constructor(
    private readonly isHead: boolean,
    private readonly request: OutboundRequest,
    private readonly signal: AbortSignalLike,
    private readonly resolve: (answer: WholeAnswer) => void,
    private readonly reject: (error: Error) => void,
  ) {
    signal.addEventListener('abort', this, { once: true });
  }

  /** Abort listener of the signal. A request that still waits for a connection is aborted when it gets one. */
  handleEvent(): void {
    this.#stop(this.signal.reason as Error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.signal.aborted) controller.abort(this.signal.reason as Error);
  }

  onResponseStart(controller: Dispatcher.DispatchController, statusCode: number, headers: RawHeaders): void {
    if (statusCode < 200) return;
    const { followRedirects, maxResponseBytes } = this.request;
    this.#statusCode = statusCode;
    this.#headers = headers;
    if (followRedirects && redirectOf(statusCode, headers) !== undefined) {
      // Only the head of a redirect is needed.
      this.onResponseEnd();
      controller.abort(new Error('the body of a redirect is not needed'));
    } else if (!this.isHead && Number(headers['content-length']) > maxResponseBytes)
      this.#stop(tooLarge(maxResponseBytes));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    const { maxResponseBytes } = this.request;
    if (this.#size > maxResponseBytes) this.#stop(tooLarge(maxResponseBytes));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#settle();
    const [first] = this.#chunks;
    const body = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    const answer = { statusCode: this.#statusCode, headers: this.#headers, body };
    this.resolve(answer);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #stop(error: Error): void {
    this.#fail(error);
    this.#controller?.abort(error);
  }

  /** Has no effect after the end: the abort of a redirect's body calls it again. */
  #fail(error: Error): void {
    if (this.#isSettled) return;
    this.#settle();
    this.reject(error);
  }

  #settle(): void {
    this.#isSettled = true;
    this.signal.removeEventListener('abort', this);
  }
}
