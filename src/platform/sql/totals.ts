import { LRUCache } from 'lru-cache';

interface Limits {
  /** Smaller totals are counted at every read. */
  large: number;
  /** Lifetime of a cached large total in milliseconds. */
  ms: number;
}

/** A typed query that counts the rows of a list. */
interface TotalQuery {
  compile(): { sql: string; parameters: readonly unknown[] };
  executeTakeFirstOrThrow(): Promise<{ total: number }>;
}

/** Maximum cached totals of one process. The least recently used is evicted first. */
const MAX_LISTS = 1_000;
const LIMITS: Limits = { large: 10_000, ms: 10_000 };

/**
 * Caches the totals of unbounded lists. Counting 100,000 rows takes ten times as long as reading a page, so a large
 * total may be slightly outdated. The caller must check access before it reads a total.
 */
export class Totals {
  readonly #large: LRUCache<string, number>;

  constructor(private readonly limits: Limits = LIMITS) {
    this.#large = new LRUCache({ max: MAX_LISTS, ttl: limits.ms });
  }

  /** Returns the total that a query counts. */
  async read(query: TotalQuery): Promise<number> {
    const { sql, parameters } = query.compile();
    return this.of(JSON.stringify([sql, parameters]), async () => (await query.executeTakeFirstOrThrow()).total);
  }

  /** Returns the total that `count` counts. `list` identifies the list within this object. */
  async of(list: string, count: () => Promise<number>): Promise<number> {
    const cached = this.#large.get(list);
    if (cached !== undefined) return cached;
    const total = await count();
    if (total >= this.limits.large) this.#large.set(list, total);
    return total;
  }
}
