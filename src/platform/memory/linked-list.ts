/** An item of at most one linked list. */
export class ListItem {
  previous: ListItem | undefined;
  next: ListItem | undefined;
}

/**
 * A doubly linked list whose items store their own links. Appending, removing and reading the first item take constant
 * time. A `Set` or an array that is emptied from the front is slower.
 */
export class LinkedList<T extends ListItem> {
  #first: T | undefined;
  #last: T | undefined;

  get first(): T | undefined {
    return this.#first;
  }

  /** Appends an item that is in no list. */
  append(item: T): void {
    item.previous = this.#last;
    item.next = undefined;
    if (this.#last) this.#last.next = item;
    else this.#first = item;
    this.#last = item;
  }

  /** Removes an item of this list. */
  remove(item: T): void {
    if (item.previous) item.previous.next = item.next;
    else this.#first = item.next as T | undefined;
    if (item.next) item.next.previous = item.previous;
    else this.#last = item.previous as T | undefined;
    item.previous = undefined;
    item.next = undefined;
  }

  *[Symbol.iterator](): Generator<T> {
    for (let item = this.#first; item; item = item.next as T | undefined) yield item;
  }
}
