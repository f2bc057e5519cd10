const CHECK_MS = 50;
/**
 * The process is overloaded if the event loop is delayed by more than MAX_DELAY_MS, more than MAX_STATEMENTS_WAITING statements wait for a
 * connection, or more than half of the requests take longer than SLOW_MS.
 */
const MAX_DELAY_MS = 100;
const MAX_STATEMENTS_WAITING = 400;
const SLOW_MS = 500;
/** How many request durations are evaluated together. */
const SAMPLE = 64;
/** A sample is forgotten when no request has been measured for so long: requests that are rejected cannot show that others are fast again. */
const SAMPLE_VALID_MS = 1_000;
/** Shorter periods do not count as overload. */
const OVERLOAD_AFTER_MS = 500;
const DECREASE = 0.8;
const INCREASE = 1.02;

export interface LoadLimitOptions {
  /** Maximum of concurrent requests without overload. */
  maxRequests: number;
  /** Concurrent requests that are accepted under any load. */
  minRequests: number;
  /** The number of statements that wait for a database connection. */
  statementsWaiting(): number;
}

/**
 * An adaptive limit on concurrent requests. While the process is overloaded, the limit falls to 80 % of the requests in progress at
 * each check. Otherwise it rises by 2 %.
 */
export class LoadLimit {
  #limit: number;
  #inProgress = 0;
  #overloadedMs = 0;
  /** Milliseconds. */
  #durations: number[] = [];
  #isSlow = false;
  #unmeasuredMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: LoadLimitOptions) {
    this.#limit = options.maxRequests;
  }

  get isReached(): boolean {
    return this.#inProgress >= this.#limit;
  }

  enter(): void {
    this.#inProgress++;
  }

  /** `tookMs` is undefined for a request whose duration depends on an upstream. */
  leave(tookMs?: number): void {
    this.#inProgress--;
    if (tookMs === undefined) return;
    this.#unmeasuredMs = 0;
    this.#durations.push(tookMs);
    if (this.#durations.length < SAMPLE) return;
    this.#isSlow = this.#durations.filter(time => time > SLOW_MS).length > SAMPLE / 2;
    this.#durations = [];
  }

  start(): void {
    let last = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.adjust(now - last);
      last = now;
    }, CHECK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Adjusts the limit, `elapsedMs` after the previous check. */
  adjust(elapsedMs: number): void {
    const { maxRequests, minRequests, statementsWaiting } = this.options;
    this.#unmeasuredMs += elapsedMs;
    if (this.#unmeasuredMs > SAMPLE_VALID_MS) this.#isSlow = false;
    const isOverloaded =
      elapsedMs - CHECK_MS > MAX_DELAY_MS || statementsWaiting() > MAX_STATEMENTS_WAITING || this.#isSlow;
    this.#overloadedMs = isOverloaded ? this.#overloadedMs + elapsedMs : 0;
    if (!isOverloaded) this.#limit = Math.min(maxRequests, Math.ceil(this.#limit * INCREASE));
    else if (this.#overloadedMs >= OVERLOAD_AFTER_MS)
      this.#limit = Math.max(
        Math.min(minRequests, maxRequests),
        Math.floor(Math.min(this.#limit, this.#inProgress) * DECREASE),
      );
  }
}
