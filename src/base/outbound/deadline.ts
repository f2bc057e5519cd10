import { timedOut } from './errors.js';

/** One signal out of the caller's and a time limit, which knows which of the two ended a call. */
export class Deadline {
  /** Null where there is no limit: the caller's signal says it all. */
  readonly #controller: AbortController | null = null;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #caller: AbortSignal;

  constructor(caller: AbortSignal, timeoutMs: number | undefined) {
    this.#caller = caller;
    caller.throwIfAborted();
    if (timeoutMs === undefined) return;
    const controller = new AbortController();
    this.#controller = controller;
    caller.addEventListener('abort', this, { once: true });
    this.#timer = setTimeout(() => controller.abort(timedOut(timeoutMs)), timeoutMs);
  }

  /** The caller's abort. */
  handleEvent(): void {
    this.#controller?.abort(this.#caller.reason);
  }

  get signal(): AbortSignal {
    return this.#controller?.signal ?? this.#caller;
  }

  /** From here on only the caller's signal ends the call. */
  stopTimer(): void {
    clearTimeout(this.#timer);
  }

  release(): void {
    if (this.#controller === null) return;
    this.stopTimer();
    this.#caller.removeEventListener('abort', this);
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
