import { LRUCache } from 'lru-cache';
import type { Sql } from '../database/database.js';

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

  constructor(
    private readonly sql: Sql,
    private readonly limits: Limits = LIMITS,
  ) {
    this.#large = new LRUCache({ max: MOST_LISTS, ttl: limits.ms });
  }

  /** How many rows there are in `from`: tables with their condition. */
  count(from: string, values: unknown[]): Promise<number> {
    return this.#remembered(JSON.stringify([from, values]), async () => {
      const [row] = await this.sql.query<{ total: number }>(`select count(*)::int as total from ${from}`, values);
      return row!;
    });
  }

  /** The total that a query counts. */
  read(query: TotalQuery): Promise<number> {
    const { sql, parameters } = query.compile();
    return this.#remembered(JSON.stringify([sql, parameters]), () => query.executeTakeFirstOrThrow());
  }

  async #remembered(list: string, count: () => Promise<{ total: number }>): Promise<number> {
    const known = this.#large.get(list);
    if (known !== undefined) return known;
    const { total } = await count();
    if (total >= this.limits.large) this.#large.set(list, total);
    return total;
  }
}
