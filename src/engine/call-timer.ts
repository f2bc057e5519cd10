import type { Clock } from './ports.js';

/** What a sleep is ended with. Made once: an abort without a reason makes an exception with its stack. */
const stopped = new Error('the timer has stopped');

/**
 * Limits the working time of one call: the timer stands still while the call waits for its turn. `outer` is the timer of
 * what the call is part of, such as a loop; it stands still as well.
 */
export class CallTimer {
  #sleep: AbortController | undefined;
  #onElapsed: () => void = () => {};
  /** Working time that is left; null: without a limit. */
  #leftMs: number | null = null;
  #workingSince = 0;
  #waits = 0;
  #waitingSince = 0;
  #waitedMs = 0;

  constructor(
    private readonly clock: Clock,
    private readonly outer?: CallTimer,
  ) {}

  /** Milliseconds that were spent waiting. */
  get waitedMs(): number {
    return this.#waitedMs + (this.#waits > 0 ? this.#since(this.#waitingSince) : 0);
  }

  /** Calls `onElapsed` once the call has worked for so long; null: never. */
  start(timeoutMs: number | null, onElapsed: () => void): void {
    this.#leftMs = timeoutMs;
    this.#onElapsed = onElapsed;
    if (this.#waits === 0) this.#run();
  }

  stop(): void {
    this.#leftMs = null;
    this.#sleep?.abort(stopped);
    this.#sleep = undefined;
  }

  /** Waits for a turn; what it rejects with is thrown. */
  async wait<T>(turn: Promise<T>): Promise<T> {
    this.#pause();
    try {
      return await turn;
    } finally {
      this.#resume();
    }
  }

  #pause(): void {
    if (this.#waits++ > 0) return;
    if (this.outer) this.outer.#pause();
    this.#waitingSince = this.#now();
    if (this.#leftMs === null) return;
    this.#sleep?.abort(stopped);
    if (this.#sleep) this.#leftMs = Math.max(0, this.#leftMs - this.#since(this.#workingSince));
    this.#sleep = undefined;
  }

  #resume(): void {
    if (--this.#waits > 0) return;
    if (this.outer) this.outer.#resume();
    this.#waitedMs += this.#since(this.#waitingSince);
    this.#run();
  }

  #run(): void {
    if (this.#leftMs === null) return;
    this.#workingSince = this.#now();
    this.#sleep = new AbortController();
    this.clock.sleep(this.#leftMs, this.#sleep.signal).then(
      () => this.#onElapsed(),
      () => {},
    );
  }

  #since(time: number): number {
    return Math.max(0, this.#now() - time);
  }

  #now(): number {
    return this.clock.now().getTime();
  }
}
