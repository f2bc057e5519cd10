import { forNobody } from '../tracing/scope.js';

export interface Patience {
  ms: number;
  /** So many are done before their time. */
  most: number;
}

/** Groups small enough that none of them holds up others for long. */
const SHORT: Patience = { ms: 10, most: 32 };

/**
 * Work that nobody waits for, such as the line of a request in the log. It is put off for a moment and done together with
 * what has come since: item by item by code that is at hand then, and seldom while a caller waits for an answer.
 */
export class Behind<Item> {
  #items: Item[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** `work` is done for each item, in their order; it handles its own errors. */
  constructor(
    private readonly work: (item: Item) => void,
    private readonly patience = SHORT,
  ) {}

  add(item: Item): void {
    const { ms, most } = this.patience;
    const count = this.#items.push(item);
    if (count === 1) this.#timer = setTimeout(() => this.flush(), ms);
    else if (count === most) setImmediate(() => this.flush());
  }

  /** Does at once what waits. */
  flush(): void {
    clearTimeout(this.#timer);
    const items = this.#items;
    this.#items = [];
    forNobody(() => items.forEach(this.work));
  }
}
