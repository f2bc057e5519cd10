import { Ending, type EndSignal } from '../async/ending.js';
import { timedOut } from './errors.js';

/** One signal out of the caller's and a time limit, which knows which of the two ended a call. */
export class Deadline {
  /** Null where there is no limit: the caller's signal says it all. */
  readonly #own: Ending | null = null;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #caller: EndSignal;

  constructor(caller: EndSignal, timeoutMs: number | undefined) {
    this.#caller = caller;
    caller.throwIfAborted();
    if (timeoutMs === undefined) return;
    const own = new Ending();
    this.#own = own;
    caller.addEventListener('abort', this, { once: true });
    this.#timer = setTimeout(() => own.end(timedOut(timeoutMs)), timeoutMs);
  }

  /** The caller's abort. */
  handleEvent(): void {
    this.#own?.end(this.#caller.reason);
  }

  get signal(): EndSignal {
    return this.#own ?? this.#caller;
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
