import type { AbortSignalLike } from '../async/abort-signal.js';
import { timedOut } from './errors.js';

/** One signal out of the caller's and a time limit, which knows which of the two ended a call. */
export class Deadline {
  /** Null where there is no limit: the caller's signal says it all. */
  readonly #own: AbortController | null = null;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #caller: AbortSignalLike;

  constructor(caller: AbortSignalLike, timeoutMs: number | undefined) {
    this.#caller = caller;
    caller.throwIfAborted();
    if (timeoutMs === undefined) return;
    const own = new AbortController();
    this.#own = own;
    caller.addEventListener('abort', this, { once: true });
    this.#timer = setTimeout(() => own.abort(timedOut(timeoutMs)), timeoutMs);
  }

  /** The caller's abort. */
  handleEvent(): void {
    this.#own?.abort(this.#caller.reason);
  }

  get signal(): AbortSignalLike {
    return this.#own?.signal ?? this.#caller;
  }

  /** From here on only the caller's signal ends the call. */
  stopTimer(): void {
    clearTimeout(this.#timer);
  }

  release(): void {
    if (this.#own === null) return;
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
