import { withoutContext } from '../tracing/work-context.js';

interface Entry<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Coalesces calls that arrive together into one: while a batch is under way the next one gathers, and each caller is
 * answered only when the batch that holds its item is done. A batch that fails fails each of its callers.
 */
export class Batcher<Item, Result> {
  #waiting: Entry<Item, Result>[] = [];
  #lanes = 0;
  #scheduled = false;

  constructor(
    private readonly work: (items: Item[]) => Promise<Result[]>,
    private readonly limits: {
      lanes: number;
      maxBatch: number;
      /** Bounds a batch by the weight of its items as well; an item that weighs more is a batch of its own. */
      weight?: { max: number; of: (item: Item, max: number) => number };
      /** Errors that one item may have caused: the batch, which changed nothing, is tried again item by item. */
      isolate?: (error: unknown) => boolean;
    },
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  /** Items that wait for a batch to begin. */
  get waiting(): number {
    return this.#waiting.length;
  }

  #schedule(): void {
    if (this.#scheduled || this.#lanes >= this.limits.lanes || this.#waiting.length === 0) return;
    this.#scheduled = true;
    withoutContext(() =>
      setImmediate(() => {
        this.#scheduled = false;
        void this.#run();
      }),
    );
  }

  async #run(): Promise<void> {
    const batch = this.#waiting.splice(0, this.#nextCount());
    if (batch.length === 0) return;
    this.#lanes++;
    this.#schedule();
    try {
      const results = await this.work(batch.map(entry => entry.item));
      batch.forEach((entry, index) => {
        entry.resolve(results[index] as Result);
      });
    } catch (error) {
      if (batch.length > 1 && this.limits.isolate?.(error)) await this.#runEach(batch);
      else for (const entry of batch) entry.reject(error);
    } finally {
      this.#lanes--;
      this.#schedule();
    }
  }

  /** How many of the first that wait make up the next batch. */
  #nextCount(): number {
    const { maxBatch, weight } = this.limits;
    const most = Math.min(this.#waiting.length, maxBatch);
    if (!weight) return most;
    let left = weight.max;
    for (let count = 0; count < most; count++) {
      // Nothing is weighed where only one item waits.
      if (most > 1) left -= weight.of(this.#waiting[count]!.item, left);
      if (left < 0) return Math.max(count, 1);
    }
    return most;
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
