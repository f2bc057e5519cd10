export interface LoadedPage<Row> {
  rows: readonly Row[];
  endCursor: string | null;
  hasNextPage: boolean;
}

export interface WindowSnapshot<Row> {
  /** The loaded rows, in order. Undefined until the first page is there. */
  rows: readonly Row[] | undefined;
  /** Number of rows of the pages that are or were loaded. */
  count: number;
  error: unknown;
  /** Undefined while the page of the row loads. */
  rowAt: (index: number) => Row | undefined;
}

/** Rows per page: the largest page of the API. */
export const PAGE_SIZE = 100;
/** The next page is loaded when the last visible row is at most this many rows before the last known one. */
const MARGIN = 20;
/** Number of pages that are kept on each side of the visible ones. */
const KEPT_PAGES = 2;

/**
 * A long list that is loaded as it is scrolled, in bounded memory: of every known page it keeps the end cursor, but only
 * pages near the visible rows keep their rows. A page that comes into view again is loaded again.
 */
export class PageWindow<Row> {
  readonly #load: (after: string | null) => Promise<LoadedPage<Row>>;
  /** The rows of the kept pages by the number of the page, from 0. */
  readonly #pages = new Map<number, readonly Row[]>();
  /** Pages that are shown, but to be loaded again. */
  readonly #stale = new Set<number>();
  /** The end cursor of every known page. */
  #ends: (string | null)[] = [];
  /** Number of rows of the last page, once the end of the list is known. */
  #lastSize: number | undefined;
  /** The first visible page and the last visible row. */
  #visible = { firstPage: 0, lastRow: 0 };
  #isLoading = false;
  #error: unknown;
  #snapshot: WindowSnapshot<Row>;
  readonly #listeners = new Set<() => void>();

  /** `start` is shown until the first page is loaded. */
  constructor(load: (after: string | null) => Promise<LoadedPage<Row>>, start?: LoadedPage<Row>) {
    this.#load = load;
    if (start) this.#store(0, start);
    if (start) this.#stale.add(0);
    this.#snapshot = this.#toSnapshot();
  }

  readonly snapshot = () => this.#snapshot;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    void this.#fill();
    return () => this.#listeners.delete(listener);
  };

  /** Loads the rows that are visible, both indexes included. */
  readonly show = (first: number, last: number) => {
    this.#visible = { firstPage: toPage(first), lastRow: last };
    void this.#fill();
  };

  /** Loads the visible rows again. The others are loaded when they come into view. */
  readonly refresh = () => {
    for (const page of [...this.#pages.keys()]) this.#expire(page);
    if (this.#ends.length === 0) this.#error = undefined;
    void this.#fill();
  };

  /** Loads the missing pages one after the other, as long as the list is shown. */
  async #fill() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      for (let page = this.#next(); page !== undefined && this.#listeners.size > 0; page = this.#next()) {
        const loaded = await this.#load(page === 0 ? null : (this.#ends[page - 1] ?? null));
        this.#error = undefined;
        this.#store(page, loaded);
        this.#emit();
      }
    } catch (error) {
      this.#error = error;
      this.#emit();
    } finally {
      this.#isLoading = false;
    }
  }

  /** The first visible page that is not loaded or stale. */
  #next(): number | undefined {
    if (this.#ends.length === 0) return 0;
    for (let page = this.#visible.firstPage; page <= Math.min(this.#lastVisiblePage(), this.#ends.length - 1); page++)
      if (!this.#pages.has(page) || this.#stale.has(page)) return page;
    const isAtEnd = this.#visible.lastRow >= this.#count() - MARGIN;
    return isAtEnd && this.#lastSize === undefined ? this.#ends.length : undefined;
  }

  #store(page: number, { rows, endCursor, hasNextPage }: LoadedPage<Row>) {
    this.#stale.delete(page);
    // Later pages start at another row if this one ends at another.
    if (this.#ends[page] !== endCursor) for (const later of this.#pages.keys()) if (later > page) this.#expire(later);
    // Rows were deleted since the page in front of this one was loaded.
    const isBehindEnd = rows.length === 0 && page > 0;
    if (!isBehindEnd) {
      this.#pages.set(page, rows);
      this.#ends[page] = endCursor;
    }
    if (hasNextPage) {
      if (page === this.#ends.length - 1) this.#lastSize = undefined;
    } else {
      this.#ends.length = isBehindEnd ? page : page + 1;
      this.#lastSize = isBehindEnd ? PAGE_SIZE : rows.length;
    }
    for (const other of this.#pages.keys())
      if (!this.#isNearView(other) || other >= this.#ends.length) this.#drop(other);
  }

  /** Loads a visible page again soon, and another one when it comes into view. */
  #expire(page: number) {
    if (page >= this.#visible.firstPage && page <= this.#lastVisiblePage()) this.#stale.add(page);
    else this.#drop(page);
  }

  #drop(page: number) {
    this.#pages.delete(page);
    this.#stale.delete(page);
  }

  #lastVisiblePage() {
    return toPage(this.#visible.lastRow);
  }

  #isNearView(page: number) {
    return page >= this.#visible.firstPage - KEPT_PAGES && page <= this.#lastVisiblePage() + KEPT_PAGES;
  }

  #count() {
    if (this.#lastSize === undefined) return this.#ends.length * PAGE_SIZE;
    return Math.max(0, this.#ends.length - 1) * PAGE_SIZE + this.#lastSize;
  }

  #emit() {
    this.#snapshot = this.#toSnapshot();
    for (const listener of this.#listeners) listener();
  }

  #toSnapshot(): WindowSnapshot<Row> {
    const pages = new Map(this.#pages);
    const isKnown = this.#ends.length > 0;
    return {
      rows: isKnown ? [...pages.keys()].sort((a, b) => a - b).flatMap(page => pages.get(page) ?? []) : undefined,
      count: this.#count(),
      error: isKnown ? undefined : this.#error,
      rowAt: index => pages.get(toPage(index))?.[index % PAGE_SIZE],
    };
  }
}

const toPage = (index: number) => Math.floor(index / PAGE_SIZE);
