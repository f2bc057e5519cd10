import type { WaitFor } from './call-context.js';
import type { Clock } from './ports.js';

/** Abort reason of an interrupted sleep. It is shared because creating an exception with its stack is expensive. */
const TIMER_STOPPED = new Error('the timer has stopped');

/**
 * Limits the working time of one call. The timer is paused while the call waits for a slot or for an unavailable
 * database. `outer` is the timer of an enclosing operation, such as a loop; it is paused as well.
 */
export class CallTimer {
  #sleep: AbortController | undefined;
  #onElapsed: () => void = () => {};
  /** Remaining working time in milliseconds; null: unlimited. */
  #remainingMs: number | null = null;
  #workingSince = 0;
  /** Number of concurrent waits. The timer is paused while there is at least one. */
  #waits = 0;
  #waitingSince = 0;
  #waitedMs = 0;
  #takenMs = 0;

  constructor(
    private readonly clock: Clock,
    private readonly outer?: CallTimer,
  ) {}

  /** Milliseconds spent waiting. */
  get waitedMs(): number {
    return this.#waitedMs + (this.#waits > 0 ? this.#since(this.#waitingSince) : 0);
  }

  /** Returns the milliseconds spent waiting since the last call of this method. */
  takeWaitedMs(): number {
    const { waitedMs } = this;
    const taken = waitedMs - this.#takenMs;
    this.#takenMs = waitedMs;
    return taken;
  }

  /** Calls `onElapsed` after `timeoutMs` milliseconds of working time; null: never. */
  start(timeoutMs: number | null, onElapsed: () => void): void {
    this.#remainingMs = timeoutMs;
    this.#onElapsed = onElapsed;
    if (this.#waits === 0) this.#startSleep();
  }

  /** Stops the timer; `onElapsed` is no longer called. */
  stop(): void {
    this.#remainingMs = null;
    this.#sleep?.abort(TIMER_STOPPED);
    this.#sleep = undefined;
  }

  /**
   * Executes the work of the call with the `waitFor` for its context. The timer is also paused while the work waits for an
   * unavailable database.
   */
  run<T>(work: (waitFor: WaitFor) => T): T {
    const waitFor: WaitFor = turn => this.wait(turn);
    return this.clock.observeWaits ? this.clock.observeWaits(waitFor, () => work(waitFor)) : work(waitFor);
  }

  /** Pauses the timer until `turn` settles and returns its value. A rejection is passed on. */
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
    if (this.#remainingMs === null) return;
    this.#sleep?.abort(TIMER_STOPPED);
    if (this.#sleep) this.#remainingMs = Math.max(0, this.#remainingMs - this.#since(this.#workingSince));
    this.#sleep = undefined;
  }

  #resume(): void {
    if (--this.#waits > 0) return;
    if (this.outer) this.outer.#resume();
    this.#waitedMs += this.#since(this.#waitingSince);
    this.#startSleep();
  }

  #startSleep(): void {
    if (this.#remainingMs === null) return;
    this.#workingSince = this.#now();
    this.#sleep = new AbortController();
    this.clock.sleep(this.#remainingMs, this.#sleep.signal).then(
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
