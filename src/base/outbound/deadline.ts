import { timedOut } from './errors.js';

/** One signal out of the caller's and a time limit, which knows which of the two ended a call. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort = () => this.#controller.abort(this.#caller?.reason);

  constructor(caller: AbortSignal | undefined, timeoutMs: number | undefined) {
    this.#caller = caller;
    caller?.throwIfAborted();
    caller?.addEventListener('abort', this.#onAbort, { once: true });
    if (timeoutMs !== undefined) this.#timer = setTimeout(() => this.#controller.abort(timedOut(timeoutMs)), timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** From here on only the caller's signal ends the call. */
  stopTimer(): void {
    clearTimeout(this.#timer);
  }

  release(): void {
    this.stopTimer();
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }

  /** The promise, or the reason of an abort that comes first: a connection attempt itself cannot be interrupted. */
  race<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this;
    return new Promise<T>((resolve, reject) => {
      const onAbort = () => reject(signal.reason as Error);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
      promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  }
}
