import type { Database } from '../platform/database/database.js';
import type { Log } from '../platform/logging/log.js';
import type { Reading, Sample } from '../platform/metrics/reading.js';
import { type BacklogRow, MOST, readBacklog } from './backlog.sql.js';

/** How long what was counted is told again: however often somebody looks, the database is asked this often. */
const KEPT_MS = 5_000;
const PATIENCE_MS = 2_000;
const KINDS = ['workflow', 'scenario', 'keyword', 'recognition', 'webhook'];

/** What waits to be worked off, in all processes together: each of them tells the same. */
export class Backlog {
  #rows: Promise<BacklogRow[] | null> | undefined;
  #until = 0;

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  get readings(): Reading[] {
    return [
      {
        name: 'scenarium_runs',
        help: `Runs that have not ended, and webhooks that are due (queued) or wait for another attempt (waiting), in all processes together; ${MOST} stands for as many or more.`,
        labels: ['kind', 'state'],
        read: async () => this.#counts(await this.#look()),
      },
      {
        name: 'scenarium_queue_oldest_seconds',
        help: 'For how long the oldest one that is queued has waited, in all processes together; 0: none is queued.',
        labels: ['kind'],
        read: async () => this.#ages(await this.#look()),
      },
      {
        name: 'scenarium_database_up',
        help: 'Whether the database answered when somebody looked.',
        read: async () => [{ value: (await this.#look()) === null ? 0 : 1 }],
      },
    ];
  }

  #counts(rows: BacklogRow[] | null): Sample[] {
    if (rows === null) return [];
    const none = KINDS.map(kind => ({ labels: { kind, state: 'queued' }, value: 0 }));
    return [...none, ...rows.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count }))];
  }

  #ages(rows: BacklogRow[] | null): Sample[] {
    if (rows === null) return [];
    const ages = new Map(rows.flatMap(({ kind, state, oldest }) => (state === 'queued' ? [[kind, oldest]] : [])));
    return KINDS.map(kind => ({ labels: { kind }, value: Math.max(ages.get(kind) ?? 0, 0) }));
  }

  #look(): Promise<BacklogRow[] | null> {
    if (!this.#rows || Date.now() > this.#until) {
      this.#until = Date.now() + KEPT_MS;
      this.#rows = this.#ask();
    }
    return this.#rows;
  }

  /** Null when the database does not answer: whoever looks is told that, and not kept waiting. */
  async #ask(): Promise<BacklogRow[] | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>(resolve => {
      timer = setTimeout(() => resolve(null), PATIENCE_MS);
    });
    const rows = readBacklog(this.database).catch((error: Error) => {
      this.log.warn({ reason: error.message }, 'the backlog could not be counted');
      return null;
    });
    return Promise.race([rows, late]).finally(() => clearTimeout(timer));
  }
}
