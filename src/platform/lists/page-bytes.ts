import DataLoader from 'dataloader';

interface Item {
  id: number | string;
  bytes: number;
}

interface KindedItem extends Item {
  kind: string;
}

/** What one request has shown of the payloads of lists. */
class ShownBytes {
  readonly shortened = new Set<string>();
  readonly loader: DataLoader<KindedItem, boolean, string>;
  #left: number;
  #isFirst = true;

  constructor(maxBytes: number) {
    this.#left = maxBytes;
    this.loader = new DataLoader<KindedItem, boolean, string>(
      async items => items.map(item => this.#take(item, items.length)),
      {
        cacheKeyFn: ({ kind, id }) => `${kind} ${id}`,
      },
    );
  }

  /** An item that is read alone is whole, however large: so every item can be read. */
  #take({ id, bytes }: Item, count: number): boolean {
    const isAlone = this.#isFirst && count === 1;
    this.#isFirst = false;
    const fits = isAlone || bytes <= this.#left;
    if (fits) this.#left -= bytes;
    else this.shortened.add(String(id));
    return fits;
  }
}

const shownTo = new WeakMap<object, ShownBytes>();

/** Bounds the payloads that one response carries: runs' results, graphs, texts. */
export class PageBytes {
  constructor(readonly maxBytes: number) {}

  /**
   * Whether an item of a list is shown whole; the first items of a page are, as far as they fit together. The same answer
   * for each member of an item. `bytes`: of all its payloads together; `kind`: of the item, as ids repeat among kinds.
   */
  fits(context: object, kind: string, { id, bytes }: Item): Promise<boolean> {
    let shown = shownTo.get(context);
    if (!shown) {
      shown = new ShownBytes(this.maxBytes);
      shownTo.set(context, shown);
    }
    return shown.loader.load({ kind, id, bytes });
  }
}

/** Ids of the items that a response shows without their payloads. */
export function shortenedIn(context: object): readonly string[] {
  return [...(shownTo.get(context)?.shortened ?? [])];
}
