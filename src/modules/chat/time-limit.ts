import type { AbortControllerLike, AbortSignalLike } from '../../platform/async/abort-signal.js';
import type { IndexedItem } from '../../platform/memory/indexed-set.js';

/** Ends a call: when its client has gone, or when a time has passed that can be set anew. */
export class TimeLimit implements IndexedItem {
  /** Among the calls under way. */
  place = 0;
  #timer: NodeJS.Timeout;
  isExpired = false;

  /** `client`: the call's own, which goes with it. */
  constructor(
    private readonly client: AbortSignalLike,
    ms: number,
    private readonly controller: AbortControllerLike,
  ) {
    this.#timer = this.#start(ms);
    if (client.aborted) this.handleEvent();
    else client.addEventListener('abort', this, { once: true });
  }

  /** The client has gone. */
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

  /** From now on another limit holds. */
  reset(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start(ms);
  }

  /** The present limit begins anew. */
  touch(): void {
    this.#timer.refresh();
  }

  release(): void {
    clearTimeout(this.#timer);
  }

  #start(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.isExpired = true;
      this.abort(new DOMException('The time is up.', 'TimeoutError'));
    }, ms);
  }
}
