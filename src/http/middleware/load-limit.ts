const LOOK_MS = 50;
/**
 * The process is overloaded if the event loop is delayed by more than LATE_MS, more than MAX_STATEMENTS_WAITING statements wait for a
 * connection, or more than half of the requests take longer than SLOW_MS.
 */
const LATE_MS = 100;
const MAX_STATEMENTS_WAITING = 400;
const SLOW_MS = 500;
/** How many request durations are evaluated together. */
const SAMPLE = 64;
/** Shorter periods do not count as overload. */
const PATIENCE_MS = 500;
const LESS = 0.8;
const MORE = 1.02;

export interface LoadLimitOptions {
  /** Maximum of concurrent requests without overload. */
  most: number;
  /** Concurrent requests that are accepted under any load. */
  least: number;
  /** The number of statements that wait for a database connection. */
  statementsWaiting(): number;
}

/**
 * An adaptive limit on concurrent requests. While the process is overloaded, the limit falls to 80 % of the requests in progress at
 * each check. Otherwise it rises by 2 %.
 */
export class LoadLimit {
  #limit: number;
  #underWay = 0;
  #behindMs = 0;
  /** Milliseconds. */
  #times: number[] = [];
  #isSlow = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: LoadLimitOptions) {
    this.#limit = options.most;
  }

  get isReached(): boolean {
    return this.#underWay >= this.#limit;
  }

  enter(): void {
    this.#underWay++;
  }

  /** `tookMs` is undefined for a request whose duration depends on an upstream. */
  leave(tookMs?: number): void {
    this.#underWay--;
    if (tookMs === undefined) return;
    this.#times.push(tookMs);
    if (this.#times.length < SAMPLE) return;
    this.#isSlow = this.#times.filter(time => time > SLOW_MS).length > SAMPLE / 2;
    this.#times = [];
  }

  start(): void {
    let last = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.look(now - last);
      last = now;
    }, LOOK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Adjusts the limit, `elapsedMs` after the previous check. */
  look(elapsedMs: number): void {
    const { most, least, statementsWaiting } = this.options;
    const isBehind = elapsedMs - LOOK_MS > LATE_MS || statementsWaiting() > MAX_STATEMENTS_WAITING || this.#isSlow;
    this.#behindMs = isBehind ? this.#behindMs + elapsedMs : 0;
    if (!isBehind) this.#limit = Math.min(most, Math.ceil(this.#limit * MORE));
    else if (this.#behindMs >= PATIENCE_MS)
      this.#limit = Math.max(Math.min(least, most), Math.floor(Math.min(this.#limit, this.#underWay) * LESS));
  }
}
