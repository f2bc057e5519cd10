import { LRUCache } from 'lru-cache';

interface Limits {
  /** Smaller totals are counted every time. */
  large: number;
  /** How long a large one is remembered. */
  ms: number;
}

/** A typed query that counts the rows of a list. */
interface TotalQuery {
  compile(): { sql: string; parameters: readonly unknown[] };
  executeTakeFirstOrThrow(): Promise<{ total: number }>;
}

/** Lists whose large totals one process remembers; the one that was asked for longest ago is forgotten first. */
const MOST_LISTS = 1_000;
const LIMITS: Limits = { large: 10_000, ms: 10_000 };

/**
 * Totals of lists that may grow without an end. Counting 100,000 rows takes ten times as long as reading a page of them,
 * so a large total is counted once in a while and may be that old. Whoever asks has been let in before.
 */
export class Totals {
  readonly #large: LRUCache<string, number>;

  constructor(private readonly limits: Limits = LIMITS) {
    this.#large = new LRUCache({ max: MOST_LISTS, ttl: limits.ms });
  }

  /** The total that a query counts. */
  async read(query: TotalQuery): Promise<number> {
    const { sql, parameters } = query.compile();
    const list = JSON.stringify([sql, parameters]);
    const known = this.#large.get(list);
    if (known !== undefined) return known;
    const { total } = await query.executeTakeFirstOrThrow();
    if (total >= this.limits.large) this.#large.set(list, total);
    return total;
  }
}
