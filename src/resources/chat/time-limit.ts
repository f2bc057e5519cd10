/** Ends a call: when its client has gone, or when a time has passed that can be set anew. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #leave = () => this.#controller.abort(this.client.reason);
  #timer: NodeJS.Timeout;
  isExpired = false;

  constructor(
    private readonly client: AbortSignal,
    ms: number,
  ) {
    this.#timer = this.#start(ms);
    if (client.aborted) this.#leave();
    else client.addEventListener('abort', this.#leave, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
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

  end(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** The client's signal is the call's own and goes with it: that it is listened to does no harm. */
  release(): void {
    clearTimeout(this.#timer);
  }

  #start(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.isExpired = true;
      this.#controller.abort(new DOMException('The time is up.', 'TimeoutError'));
    }, ms);
  }
}
