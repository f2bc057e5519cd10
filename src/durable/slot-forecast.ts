import { Notifier } from '../platform/messaging/notifier.js';

/** Time in milliseconds without the start or the end of a run after which no slot is expected soon. */
const PROGRESS_MS = 50;
/** Interval in milliseconds after which it is asked again whether this is the only worker. */
const CHECK_INTERVAL_MS = 2_000;

/**
 * Predicts whether a worker without free slots will have one within milliseconds. That is so while runs start and end
 * quickly: the processor is the limit, not the slots. New runs then wait for a slot (`RunWorker.admit`).
 *
 * They do not wait where queueing is better: other workers would execute queued runs meanwhile, and new runs come
 * after a long queue in any case.
 */
export class SlotForecast {
  /** Queued jobs, as far as this process knows: those of its own runs without a slot. Infinite: others queue jobs too. */
  #queued = 0;
  /** Time of the last start or end of a run. All times are of `now`. */
  #progressAt = Number.NEGATIVE_INFINITY;
  #isOnlyWorker = true;
  #nextCheckAt = 0;
  readonly #changes = new Notifier();

  /** `checkOnlyWorker` returns whether no other process executes runs. `now` returns milliseconds. */
  constructor(
    private readonly concurrency: number,
    private readonly checkOnlyWorker: () => Promise<boolean>,
    private readonly now = () => performance.now(),
  ) {}

  /** The prediction, as far as this process knows. */
  get expectsSlot(): boolean {
    return this.#isFast && this.#isOnlyWorker;
  }

  /** Returns the prediction. Asks from time to time whether other workers have started or stopped. */
  async confirm(): Promise<boolean> {
    if (!this.#isFast) return false;
    const now = this.now();
    if (now >= this.#nextCheckAt) {
      this.#nextCheckAt = now + CHECK_INTERVAL_MS;
      this.#isOnlyWorker = await this.checkOnlyWorker();
    }
    return this.#isOnlyWorker;
  }

  get #isFast(): boolean {
    return this.now() - this.#progressAt < PROGRESS_MS && this.#queued <= this.concurrency;
  }

  /** Resolves at the next `notify`, at the latest when no slot is expected any more. For one waiting caller. */
  nextChange(): Promise<void> {
    this.#changes.listen();
    return this.#changes.wait(PROGRESS_MS);
  }

  /** Announces that a slot may be free. */
  notify(): void {
    this.#changes.notify();
  }

  /** Records the start or the end of a run. */
  recordProgress(): void {
    this.#progressAt = this.now();
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
