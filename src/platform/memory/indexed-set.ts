/** An item that stores its own index in an IndexedSet. */
export interface IndexedItem {
  index: number;
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
    item.index = this.#items.push(item) - 1;
  }

  delete(item: T): void {
    const { index } = item;
    if (this.#items[index] !== item) return;
    const last = this.#items.pop() as T;
    if (last === item) return;
    this.#items[index] = last;
    last.index = index;
  }

  /** Returns a copy of the current items. */
  all(): readonly T[] {
    return [...this.#items];
  }
}
