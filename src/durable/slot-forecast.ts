import { Notifier } from '../platform/messaging/notifier.js';

/**
 * Time in milliseconds without the start or the end of a run after which no slot is expected soon. At the beginning of a burst
 * new connections plan their statements, which takes up to 0.15 s.
 */
const STALL_MS = 250;
/** Average interval in milliseconds between the ends of runs up to which runs end quickly. */
const QUICK_MS = 20;
/** Weight (0-1) of the last interval in the average. An interval above `MAX_INTERVAL_MS` counts as that. */
const WEIGHT = 0.1;
const MAX_INTERVAL_MS = 100;
/** Time in milliseconds that the queue may take until new runs come after it. */
const MAX_QUEUE_MS = 500;
/** Interval in milliseconds after which it is asked again whether this is the only worker. */
const CHECK_INTERVAL_MS = 2_000;

/**
 * Predicts whether a worker without free slots will have one soon. That is so while runs end quickly: the processor is the
 * limit, not the slots. New runs then wait for a slot (`RunWorker.admit`), and for the end of a short queue.
 *
 * They do not wait where queueing is better: other workers would execute queued runs meanwhile, and new runs come
 * after a long queue in any case.
 */
export class SlotForecast {
  /** Queued jobs, as far as this process knows: those of its own runs without a slot. Infinite: others queue jobs too. */
  #queued = 0;
  /** Time of the last start or end of a run. All times are of `now`. */
  #progressAt = Number.NEGATIVE_INFINITY;
  #endedAt = Number.NEGATIVE_INFINITY;
  /** Average interval in milliseconds between the ends of runs. Runs are quick until they are measured. */
  #intervalMs = 0;
  #isOnlyWorker = true;
  #nextCheckAt = 0;
  readonly #changes = new Notifier();

  /** `checkOnlyWorker` returns whether no other process executes runs. `now` returns milliseconds. */
  constructor(
    private readonly checkOnlyWorker: () => Promise<boolean>,
    private readonly now = () => performance.now(),
  ) {}

  /** The prediction, as far as this process knows. */
  get expectsSlot(): boolean {
    return this.#isQuick && this.#isOnlyWorker;
  }

  /** Returns the prediction. Asks from time to time whether other workers have started or stopped. */
  async confirm(): Promise<boolean> {
    if (!this.#isQuick) return false;
    const now = this.now();
    if (now >= this.#nextCheckAt) {
      this.#nextCheckAt = now + CHECK_INTERVAL_MS;
      this.#isOnlyWorker = await this.checkOnlyWorker();
    }
    return this.#isOnlyWorker;
  }

  get #isQuick(): boolean {
    const isRunning = this.now() - this.#progressAt < STALL_MS;
    return isRunning && this.#intervalMs <= QUICK_MS && this.#queueMs <= MAX_QUEUE_MS;
  }

  /** Time in milliseconds until the queued runs have slots. */
  get #queueMs(): number {
    return this.#queued === Number.POSITIVE_INFINITY ? this.#queued : this.#queued * this.#intervalMs;
  }

  /** Resolves at the next `notify`, at the latest when no slot is expected any more. For one waiting caller. */
  nextChange(): Promise<void> {
    this.#changes.listen();
    return this.#changes.wait(STALL_MS);
  }

  /** Announces that a slot may be free. */
  notify(): void {
    this.#changes.notify();
  }

  recordStart(): void {
    this.#progressAt = this.now();
  }

  recordEnd(): void {
    const now = this.now();
    const interval = Math.min(now - this.#endedAt, MAX_INTERVAL_MS);
    this.#intervalMs += (interval - this.#intervalMs) * WEIGHT;
    this.#endedAt = now;
    this.#progressAt = now;
    this.notify();
  }

  /** Counts jobs that this process is about to queue. */
  countQueued(count: number): void {
    this.#queued += count;
  }

  /** Counts fetched jobs. A fetch that finds more jobs than this process has queued shows that others queue jobs too. */
  countFetched({ count, isDrained }: { count: number; isDrained: boolean }): void {
    if (isDrained) this.#queued = 0;
    else this.#queued = count > this.#queued ? Number.POSITIVE_INFINITY : this.#queued - count;
  }
}
