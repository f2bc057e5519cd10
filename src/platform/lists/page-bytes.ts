import DataLoader from 'dataloader';

interface Item {
  id: number | string;
  bytes: number;
}

interface ListedItem extends Item {
  row: object;
  kind: string;
}

/** The payload bytes that one response contains so far. */
class ReturnedBytes {
  readonly shortened = new Set<string>();
  readonly loader: DataLoader<ListedItem, boolean, string>;
  /** Numbers of rows. Lists that an operation requests by several aliases have different rows. */
  readonly #numbers = new WeakMap<object, number>();
  #count = 0;
  #remainingBytes: number;
  #isFirst = true;

  constructor(maxBytes: number) {
    this.#remainingBytes = maxBytes;
    this.loader = new DataLoader<ListedItem, boolean, string>(
      async items => items.map(item => this.#take(item, items.length)),
      {
        cacheKeyFn: ({ kind, row }) => `${kind} ${this.#numberOf(row)}`,
      },
    );
  }

  #numberOf(row: object): number {
    const number = this.#numbers.get(row) ?? ++this.#count;
    this.#numbers.set(row, number);
    return number;
  }

  /** An item that is requested individually is always complete, so every item can be read. */
  #take({ id, bytes }: Item, count: number): boolean {
    const isOnly = this.#isFirst && count === 1;
    this.#isFirst = false;
    const fits = isOnly || bytes <= this.#remainingBytes;
    if (fits) this.#remainingBytes -= bytes;
    else this.shortened.add(String(id));
    return fits;
  }
}

const returnedByContext = new WeakMap<object, ReturnedBytes>();

/** Limits the payloads in one response: results of runs, graphs and texts. */
export class PageBytes {
  constructor(readonly maxBytes: number) {}

  /**
   * Returns whether an item of a list is returned completely. The first items of all lists of an operation that fit together
   * are. The result is the same for each member of a row. `bytes` is the size of all payloads of the item. `kind`
   * distinguishes items with the same row.
   */
  fits(context: object, kind: string, row: object, { id, bytes }: Item): Promise<boolean> {
    return this.#returnedIn(context).loader.load({ kind, row, id, bytes });
  }

  /** Records that a list omits a payload of an item for another reason. */
  markShortened(context: object, id: number | string): void {
    this.#returnedIn(context).shortened.add(String(id));
  }

  #returnedIn(context: object): ReturnedBytes {
    let returned = returnedByContext.get(context);
    if (!returned) {
      returned = new ReturnedBytes(this.maxBytes);
      returnedByContext.set(context, returned);
    }
    return returned;
  }
}

/** Returns the ids of the items that a response contains without their payloads. */
export function shortenedIn(context: object): readonly string[] {
  return [...(returnedByContext.get(context)?.shortened ?? [])];
}
