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
/** The next page is loaded this many rows in front of the last known one. */
const MARGIN = 20;
/** Pages that are kept on each side of the visible ones. */
const KEPT = 2;

/**
 * A long list that is loaded as it is scrolled, in bounded memory: of every known page it keeps the end cursor, but only
 * pages near the visible rows keep their rows. A page that comes into view again is loaded again.
 */
export class PageWindow<Row> {
  readonly #load: (after: string | null) => Promise<LoadedPage<Row>>;
  readonly #pages = new Map<number, readonly Row[]>();
  /** Shown, but to be loaded again. */
  readonly #stale = new Set<number>();
  #ends: (string | null)[] = [];
  /** Number of rows of the last page, once the end of the list is known. */
  #lastSize: number | undefined;
  #visible = { first: 0, last: 0 };
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
    this.#visible = { first: toPage(first), last };
    void this.#fill();
  };

  /** Loads the visible rows again. The others are loaded when they come into view. */
  readonly refresh = () => {
    for (const page of [...this.#pages.keys()]) this.#expire(page);
    if (this.#ends.length === 0) this.#error = undefined;
    void this.#fill();
  };

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
    for (let page = this.#visible.first; page <= Math.min(this.#lastVisible(), this.#ends.length - 1); page++)
      if (!this.#pages.has(page) || this.#stale.has(page)) return page;
    const isAtEnd = this.#visible.last >= this.#count() - MARGIN;
    return isAtEnd && this.#lastSize === undefined ? this.#ends.length : undefined;
  }

  #store(page: number, { rows, endCursor, hasNextPage }: LoadedPage<Row>) {
    this.#stale.delete(page);
    // Later pages start at another row if this one ends at another.
    if (this.#ends[page] !== endCursor) for (const later of this.#pages.keys()) if (later > page) this.#expire(later);
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
      if (other < this.#visible.first - KEPT || other > this.#lastVisible() + KEPT || other >= this.#ends.length)
        this.#drop(other);
  }

  #expire(page: number) {
    if (page >= this.#visible.first && page <= this.#lastVisible()) this.#stale.add(page);
    else this.#drop(page);
  }

  #drop(page: number) {
    this.#pages.delete(page);
    this.#stale.delete(page);
  }

  #lastVisible() {
    return toPage(this.#visible.last);
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
