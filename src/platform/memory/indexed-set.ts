/** What is in a bag knows its place in it. */
export interface IndexedItem {
  place: number;
}

/** Things in no order, each at most once: for what comes and goes with every request, where a Set is made anew every few times. */
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

  /** What is in it at present. */
  all(): readonly T[] {
    return [...this.#things];
  }
}
