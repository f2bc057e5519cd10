const LOOK_MS = 50;
/**
 * More is asked than is done when the event loop comes back later than this, more statements than this wait for a
 * connection, or every second request takes longer than this.
 */
const LATE_MS = 100;
const MAX_STATEMENTS_WAITING = 400;
const SLOW_MS = 500;
/** Requests whose times are looked at together. */
const SAMPLE = 64;
/** A moment of it is no overload. */
const PATIENCE_MS = 500;
const LESS = 0.8;
const MORE = 1.02;

export interface LoadLimitOptions {
  /** Requests at the same time when nothing is short. */
  most: number;
  /** Requests at the same time that are taken whatever is short: what so many ask for is done within moments. */
  least: number;
  /** Statements that wait for a connection to the database. */
  statementsWaiting(): number;
}

/**
 * How many requests a process works on at the same time. Past what it can do they would wait for each other, and
 * everybody for all: as long as it is behind, the limit falls below what is under way, and rises slowly when it is not.
 */
export class LoadLimit {
  #limit: number;
  #underWay = 0;
  #behindMs = 0;
  /** What the last requests took. */
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

  /** `tookMs`: undefined for a request that takes as long as somebody else's answer. */
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

  /** One look at how the process is doing, `elapsedMs` after the last one. */
  look(elapsedMs: number): void {
    const { most, least, statementsWaiting } = this.options;
    const isBehind = elapsedMs - LOOK_MS > LATE_MS || statementsWaiting() > MAX_STATEMENTS_WAITING || this.#isSlow;
    this.#behindMs = isBehind ? this.#behindMs + elapsedMs : 0;
    if (!isBehind) this.#limit = Math.min(most, Math.ceil(this.#limit * MORE));
    else if (this.#behindMs >= PATIENCE_MS)
      this.#limit = Math.max(Math.min(least, most), Math.floor(Math.min(this.#limit, this.#underWay) * LESS));
  }
}
