import { withoutContext } from '../tracing/work-context.js';

interface Entry<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Batches of up to this number of items are not halved: one statement costs less than two smaller ones. */
const MIN_HALVED = 4;

/**
 * Combines concurrent calls into batches. While a batch is in progress, the next one fills. Each caller resolves when
 * the batch with its item has completed. A failed batch rejects all its callers.
 */
export class Batcher<Item, Result> {
  #waiting: Entry<Item, Result>[] = [];
  #active = 0;
  /** The number of batches in progress for longer than `overlapAfterMs`. */
  #slow = 0;
  #isScheduled = false;
  /** The number of items of the previous batch and of those that waited for its end. 0: none waited. */
  #concurrentItems = 0;

  constructor(
    private readonly work: (items: Item[]) => Promise<Result[]>,
    private readonly limits: {
      concurrency: number;
      maxBatch: number;
      /**
       * Limits a batch to half of the concurrent items. The callers of a batch continue together and return together: without the
       * limit, a small batch alternates with a large one, and the database waits for the process or the process for the database.
       */
      isHalved?: boolean;
      /**
       * Only batches in progress for longer than this time in milliseconds overlap with others. Fewer and larger batches cost
       * less, and a slow one delays the others only for this time. Default: 0.
       */
      overlapAfterMs?: number;
      /** Also limits a batch by the total weight of its items. A heavier item forms its own batch. */
      weight?: { max: number; of: (item: Item, max: number) => number };
      /** Delays a batch and limits it: returns how many of the queued items, at least 1, it may contain. */
      admit?: (waiting: readonly Item[]) => Promise<number>;
      /** Errors that a single item may cause. The failed batch must be without effect; it is retried item by item. */
      isolate?: (error: unknown) => boolean;
    },
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  /** The number of queued items. */
  get waiting(): number {
    return this.#waiting.length;
  }

  #schedule(): void {
    if (this.#isScheduled || !this.#mayStart || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    withoutContext(() =>
      setImmediate(() => {
        this.#isScheduled = false;
        void this.#run();
      }),
    );
  }

  get #mayStart(): boolean {
    const { concurrency, overlapAfterMs } = this.limits;
    return this.#active < concurrency && (overlapAfterMs === undefined || this.#active === this.#slow);
  }

  /** Counts the begun batch as slow after `overlapAfterMs`. Returns a function to call at its end. */
  #watch(): () => void {
    const { overlapAfterMs } = this.limits;
    if (overlapAfterMs === undefined) return () => {};
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.#slow++;
      this.#schedule();
    }, overlapAfterMs);
    return () => {
      clearTimeout(timer);
      if (isSlow) this.#slow--;
    };
  }

  async #run(): Promise<void> {
    if (this.#waiting.length === 0) return;
    this.#active++;
    const end = this.#watch();
    const { admit, maxBatch } = this.limits;
    try {
      const admitted = admit ? await admit(this.#waiting.map(entry => entry.item)) : Number.POSITIVE_INFINITY;
      const batch = this.#waiting.splice(0, this.#nextCount(admitted));
      this.#schedule();
      await this.#runBatch(batch);
    } catch (error) {
      // The admission failed. Later items request another one.
      for (const entry of this.#waiting.splice(0, maxBatch)) entry.reject(error);
    } finally {
      end();
      this.#active--;
      this.#schedule();
    }
  }

  async #runBatch(batch: Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(batch.map(entry => entry.item));
      this.#concurrentItems = this.#waiting.length > 0 ? this.#waiting.length + batch.length : 0;
      batch.forEach((entry, index) => {
        entry.resolve(results[index] as Result);
      });
    } catch (error) {
      if (batch.length > 1 && this.limits.isolate?.(error)) await this.#runEach(batch);
      else for (const entry of batch) entry.reject(error);
    }
  }

  get #halfCount(): number {
    if (!this.limits.isHalved) return Number.POSITIVE_INFINITY;
    return Math.max(Math.ceil(Math.max(this.#waiting.length, this.#concurrentItems) / 2), MIN_HALVED);
  }

  /** Returns the number of queued items for the next batch, at most `admitted`. */
  #nextCount(admitted: number): number {
    const { maxBatch, weight } = this.limits;
    const maxCount = Math.min(this.#waiting.length, this.#halfCount, maxBatch, admitted);
    if (!weight) return maxCount;
    let remaining = weight.max;
    for (let count = 0; count < maxCount; count++) {
      // The weight of a single item is irrelevant.
      if (maxCount > 1) remaining -= weight.of(this.#waiting[count]!.item, remaining);
      if (remaining < 0) return Math.max(count, 1);
    }
    return maxCount;
  }

  async #runEach(batch: Entry<Item, Result>[]): Promise<void> {
    for (const entry of batch) {
      try {
        const [result] = await this.work([entry.item]);
        entry.resolve(result as Result);
      } catch (error) {
        entry.reject(error);
      }
    }
  }
}
