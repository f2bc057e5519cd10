import type { AbortSignalLike } from '../async/abort-signal.js';
import { timedOut } from './errors.js';

/** Combines the caller's signal with a time limit and keeps the reason of whichever ends the call. */
export class Deadline {
  /** Null if there is no time limit. Then the caller's signal is used directly. */
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

  /** Abort listener of the caller's signal. */
  handleEvent(): void {
    this.#own?.abort(this.#caller.reason);
  }

  get signal(): AbortSignalLike {
    return this.#own?.signal ?? this.#caller;
  }

  /** Removes the time limit. Afterwards only the caller's signal ends the call. */
  stopTimer(): void {
    clearTimeout(this.#timer);
  }

  release(): void {
    if (this.#own === null) return;
    this.stopTimer();
    this.#caller.removeEventListener('abort', this);
  }

  /**
   * Rejects with the abort reason if the signal aborts first, because a connection attempt itself cannot be
   * interrupted.
   */
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
