import { LRUCache } from 'lru-cache';
import type { Database } from '../../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../../platform/database/prepared-queries.js';
import { expression, type QueryCreator, rowCount } from '../../../platform/database/typed-queries.js';
import { RateLimitedError } from '../../../platform/errors/errors.js';
import type { RunTables } from '../run-tables.js';

/** Of the runs that wait at most so many are counted as matter. */
const COUNT_QUEUED = keyedQuery(
  'queue-depth',
  (tables: QueryCreator<RunTables>, value: Placeholder<{ projectId: number; most: number }>) => {
    const queued = tables
      .selectFrom('workflow_run')
      .select('id')
      .where('project_id', '=', value('projectId'))
      .where(expression<boolean>`state = 'queued'`)
      .limit(value('most'));
    return tables.selectFrom(queued.as('q')).select(rowCount().as('queued'));
  },
);

const MAX_PROJECTS = 10_000;
/** A count is heeded for so long, and no longer than for its part of the room that it found. */
const KNOWN_MS = 60_000;
const PART = 1 / 4;
const FULL_MS = 1_000;
/** Seconds until a refused caller may come again. */
const RETRY_AFTER = 10;

interface QueueCapacity {
  /** Runs that this process may accept before it counts again: other processes accept some, too. */
  left: number;
  isFull: boolean;
  /** Runs that were waiting, and those that this process has accepted since. */
  depth: number;
}

/** Keeps the queue of a project from growing without bound, to about its limit: what has waited for days is of no use. */
export class QueueDepth {
  readonly #rooms: LRUCache<number, QueueCapacity>;

  constructor(
    private readonly database: Database,
    private readonly most: number,
  ) {
    this.#rooms = new LRUCache<number, QueueCapacity>({
      max: MAX_PROJECTS,
      ttl: KNOWN_MS,
      fetchMethod: async (projectId, _stale, { options }) => {
        const room = await this.#count(projectId);
        if (room.isFull) options.ttl = FULL_MS;
        return room;
      },
    });
  }

  /** Called for a run that is about to be queued. Returns about how many runs of the project it comes after. */
  async check(projectId: number): Promise<number> {
    for (;;) {
      const room = await this.#rooms.forceFetch(projectId);
      if (room.isFull)
        throw new RateLimitedError(
          RETRY_AFTER,
          `The project has ${this.most} runs waiting: another one is taken when some of them have begun.`,
        );
      if (room.left-- > 0) return room.depth++;
      // Others have found the same room used up, and one of them may be counting anew.
      if (this.#rooms.peek(projectId) === room) this.#rooms.delete(projectId);
    }
  }

  /** The same for a run that is accepted however many wait. */
  async turn(projectId: number): Promise<number> {
    const room = await this.#rooms.forceFetch(projectId);
    return room.depth++;
  }

  async #count(projectId: number): Promise<QueueCapacity> {
    const rows = await COUNT_QUEUED(this.database, { projectId, most: this.most });
    const free = this.most - rows[0]!.queued;
    return { left: Math.ceil(free * PART), isFull: free <= 0, depth: rows[0]!.queued };
  }
}
