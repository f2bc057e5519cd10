import { withoutContext } from '../tracing/work-context.js';

export interface BatchLimits {
  ms: number;
  /** A batch of this size is not waited for any longer. */
  most: number;
}

/** Batches that are small enough not to delay other work. */
const SHORT: BatchLimits = { ms: 10, most: 32 };

/** Work that no caller waits for, such as the log line of a request: it runs in batches, a moment after it was added. */
export class DeferredBatch<Item> {
  #items: Item[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** `work` is called for each item, in order; it handles its own errors. */
  constructor(
    private readonly work: (item: Item) => void,
    private readonly limits = SHORT,
  ) {}

  add(item: Item): void {
    const { ms, most } = this.limits;
    const count = this.#items.push(item);
    if (count === 1) this.#timer = setTimeout(() => this.flush(), ms);
    else if (count === most) setImmediate(() => this.flush());
  }

  /** Runs the present batch at once. */
  flush(): void {
    clearTimeout(this.#timer);
    const items = this.#items;
    this.#items = [];
    withoutContext(() => items.forEach(this.work));
  }
}
