import { LRUCache } from 'lru-cache';
import type { Database } from '../../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../../platform/database/prepared-queries.js';
import { expression, type QueryCreator, rowCount } from '../../../platform/database/typed-queries.js';
import { RateLimitedError } from '../../../platform/errors/errors.js';
import type { RunTables } from '../run-tables.js';

/** Counts the queued runs of a project up to its limit. */
const COUNT_QUEUED = keyedQuery(
  'queue-depth',
  (tables: QueryCreator<RunTables>, value: Placeholder<{ projectId: number; limit: number }>) => {
    const queued = tables
      .selectFrom('workflow_run')
      .select('id')
      .where('project_id', '=', value('projectId'))
      .where(expression<boolean>`state = 'queued'`)
      .limit(value('limit'));
    return tables.selectFrom(queued.as('q')).select(rowCount().as('queued'));
  },
);

const MAX_PROJECTS = 10_000;
/** Lifetime of a count in milliseconds. It also ends when a quarter of the capacity it found is used. */
const COUNT_TTL_MS = 60_000;
const USABLE_SHARE = 1 / 4;
/** Time in milliseconds after which a full queue is counted again. */
const FULL_TTL_MS = 1_000;
const RETRY_AFTER_SECONDS = 10;

interface QueueCapacity {
  /** Runs that this process may accept until the next count. Other processes accept runs too. */
  left: number;
  isFull: boolean;
  /** Queued runs at the time of the count, plus those accepted by this process since. */
  depth: number;
}

/** Limits the queue of a project to about `limit` runs, because runs that waited for days are useless. */
export class QueueDepth {
  readonly #capacities: LRUCache<number, QueueCapacity>;

  constructor(
    private readonly database: Database,
    private readonly limit: number,
  ) {
    this.#capacities = new LRUCache<number, QueueCapacity>({
      max: MAX_PROJECTS,
      ttl: COUNT_TTL_MS,
      fetchMethod: async (projectId, _stale, { options }) => {
        const capacity = await this.#count(projectId);
        if (capacity.isFull) options.ttl = FULL_TTL_MS;
        return capacity;
      },
    });
  }

  /**
   * Reserves a place for a run that is about to be queued. Returns the approximate number of queued runs ahead of
   * it. Throws RateLimitedError when the queue is full.
   */
  async check(projectId: number): Promise<number> {
    for (;;) {
      const capacity = await this.#capacities.forceFetch(projectId);
      if (capacity.isFull)
        throw new RateLimitedError(
          RETRY_AFTER_SECONDS,
          `The queue of the project is full (${this.limit} runs). Try again when some of them have started.`,
        );
      if (capacity.left-- > 0) return capacity.depth++;
      // Concurrent callers see the same exhausted count, and one of them may already have replaced it.
      if (this.#capacities.peek(projectId) === capacity) this.#capacities.delete(projectId);
    }
  }

  /** Returns the approximate number of queued runs ahead of a run that is exempt from the limit. */
  async countAhead(projectId: number): Promise<number> {
    const capacity = await this.#capacities.forceFetch(projectId);
    return capacity.depth++;
  }

  async #count(projectId: number): Promise<QueueCapacity> {
    const rows = await COUNT_QUEUED(this.database, { projectId, limit: this.limit });
    const free = this.limit - rows[0]!.queued;
    return { left: Math.ceil(free * USABLE_SHARE), isFull: free <= 0, depth: rows[0]!.queued };
  }
}
