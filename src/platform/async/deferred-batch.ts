import { withoutContext } from '../tracing/work-context.js';

export interface BatchLimits {
  /** Delay from the first item to the flush, in milliseconds. */
  ms: number;
  /** Number of items that triggers a flush before the delay has passed. */
  maxItems: number;
}

/** Small enough not to delay other work on the event loop. */
const DEFAULT_LIMITS: BatchLimits = { ms: 10, maxItems: 32 };

/** Batches work that no caller waits for, such as request log lines, and runs it shortly after it was added. */
export class DeferredBatch<Item> {
  #items: Item[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** `work` is called for each item in order. It must handle its own errors. */
  constructor(
    private readonly work: (item: Item) => void,
    private readonly limits = DEFAULT_LIMITS,
  ) {}

  add(item: Item): void {
    const { ms, maxItems } = this.limits;
    const count = this.#items.push(item);
    if (count === 1) this.#timer = setTimeout(() => this.flush(), ms);
    else if (count === maxItems) setImmediate(() => this.flush());
  }

  /** Runs all queued items now. */
  flush(): void {
    clearTimeout(this.#timer);
    const items = this.#items;
    this.#items = [];
    withoutContext(() => items.forEach(this.work));
  }
}
