import type { AbortControllerLike, AbortSignalLike } from '../../platform/async/abort-signal.js';
import type { IndexedItem } from '../../platform/memory/indexed-set.js';

/** Aborts a call when its client disconnects or a resettable time limit expires. */
export class TimeLimit implements IndexedItem {
  /** Index in the set of active calls. */
  index = 0;
  #timer: NodeJS.Timeout;
  isExpired = false;

  /** `client` is the disconnect signal of the call, `ms` the first time limit. */
  constructor(
    private readonly client: AbortSignalLike,
    ms: number,
    private readonly controller: AbortControllerLike,
  ) {
    this.#timer = this.#start(ms);
    if (client.aborted) this.handleEvent();
    else client.addEventListener('abort', this, { once: true });
  }

  /** The listener for the disconnect signal: the object itself, so that no function is created for each call. */
  handleEvent(): void {
    this.controller.abort(this.client.reason);
  }

  get signal(): AbortSignalLike {
    return this.controller.signal;
  }

  abort(reason: unknown): void {
    this.controller.abort(reason);
  }

  get hasClientGone(): boolean {
    return this.client.aborted;
  }

  /** Replaces the time limit and restarts the timer. */
  reset(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start(ms);
  }

  /** Restarts the timer with the current limit. */
  touch(): void {
    this.#timer.refresh();
  }

  release(): void {
    clearTimeout(this.#timer);
  }

  #start(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.isExpired = true;
      this.abort(new DOMException('The time limit has expired.', 'TimeoutError'));
    }, ms);
  }
}
