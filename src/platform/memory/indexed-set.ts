/** An item that stores its own index in an IndexedSet. */
export interface IndexedItem {
  place: number;
}

/**
 * An unordered set with constant-time removal. A Set would rehash every few operations if items change with every
 * request.
 */
export class IndexedSet<T extends IndexedItem> {
  readonly #things: T[] = [];

  get size(): number {
    return this.#things.length;
  }

  add(thing: T): void {
    thing.place = this.#things.push(thing) - 1;
  }

  delete(thing: T): void {
    const { place } = thing;
    if (this.#things[place] !== thing) return;
    const last = this.#things.pop() as T;
    if (last === thing) return;
    this.#things[place] = last;
    last.place = place;
  }

  /** Returns a copy of the current items. */
  all(): readonly T[] {
    return [...this.#things];
  }
}
