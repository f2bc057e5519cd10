/** An item that stores its own index in an IndexedSet. */
export interface IndexedItem {
  place: number;
}

/**
 * An unordered set with constant-time removal. A Set would rehash every few operations if items change with every
 * request.
 */
export class IndexedSet<T extends IndexedItem> {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: T): void {
    item.place = this.#items.push(item) - 1;
  }

  delete(item: T): void {
    const { place } = item;
    if (this.#items[place] !== item) return;
    const last = this.#items.pop() as T;
    if (last === item) return;
    this.#items[place] = last;
    last.place = place;
  }

  /** Returns a copy of the current items. */
  all(): readonly T[] {
    return [...this.#items];
  }
}
