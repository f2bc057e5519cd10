/** Hears of an end. */
export type EndListener = (() => void) | { handleEvent(): void };

/** What tells work that it is to end: an `AbortSignal`, or an `Ending`. */
export interface EndSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  /** Throws the reason once it has come to it. */
  throwIfAborted(): void;
  /** `listener` hears of it once. */
  addEventListener(type: 'abort', listener: EndListener, options: { once: true }): void;
  removeEventListener(type: 'abort', listener: EndListener): void;
}

/**
 * An `AbortController` and its signal in one, for what is made for each request: those of the platform are targets of
 * events, and three of them cost a twelfth of a proxied call.
 */
export class Ending implements EndSignal {
  #isOver = false;
  #reason: unknown;
  #listeners: EndListener[] = [];

  get aborted(): boolean {
    return this.#isOver;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** Only the first one counts. */
  end(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reason = reason;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) {
      if (typeof listener === 'function') listener();
      else listener.handleEvent();
    }
  }

  throwIfAborted(): void {
    if (this.#isOver) throw this.#reason;
  }

  addEventListener(_type: 'abort', listener: EndListener): void {
    if (!this.#isOver) this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: EndListener): void {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }
}

/** The same for what takes a signal of the platform alone. */
export function abortSignalOf(signal: EndSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return controller.signal;
}
