import type { Database } from '../platform/database/database.js';
import type { Log } from '../platform/logging/log.js';
import type { Reading, Sample } from '../platform/metrics/reading.js';

/** How long what was counted is told again: however often somebody looks, the database is asked this often. */
const KEPT_MS = 5_000;
const PATIENCE_MS = 2_000;
/** Beyond it nothing is counted: a backlog of so many is one whatever its length. */
const MOST = 100_000;

interface Row {
  kind: string;
  state: string;
  count: number;
  /** Seconds that the oldest has been in this state; null where nobody asks. */
  oldest: number | null;
}

/** Of a table of runs; the indexes of what is alive hold all that is read. */
function aliveSql(kind: string, table: string, column: string, states: Record<string, string>, since: string): string {
  const named = Object.entries(states).map(([stored, state]) => `when '${stored}' then '${state}'`);
  const list = Object.keys(states).map(state => `'${state}'`);
  return `
    select '${kind}' as kind, case state ${named.join(' ')} end as state, count(*)::int as count,
           extract(epoch from now() - min(since))::float8 as oldest
      from (select ${column} as state, ${since} as since from ${table} where ${column} in (${list.join(', ')}) limit ${MOST}) t
     group by state`;
}

const STORED = { created: 'queued', in_progress: 'running' };
const BACKLOG = [
  aliveSql('workflow', 'workflow_run', 'state', { queued: 'queued' }, 'queued_at'),
  aliveSql('workflow', 'workflow_run', 'state', { running: 'running' }, 'null::timestamptz'),
  aliveSql('workflow', 'workflow_run', 'state', { waiting: 'waiting' }, 'null::timestamptz'),
  aliveSql('scenario', 'scenario_run', 'status', STORED, 'queued_at'),
  aliveSql('keyword', 'keyword_run', 'status', STORED, 'queued_at'),
  aliveSql('recognition', 'recognition_run', 'state', STORED, 'updated_at'),
  `select 'webhook', 'queued', count(*)::int, extract(epoch from now() - min(next_at))::float8
     from (select next_at from webhook_delivery where state = 'pending' and next_at <= now() limit ${MOST}) t`,
  `select 'webhook', 'waiting', count(*)::int, null::float8
     from (select 1 from webhook_delivery where state = 'pending' and next_at > now() limit ${MOST}) t`,
].join('\n  union all\n');

const KINDS = ['workflow', 'scenario', 'keyword', 'recognition', 'webhook'];

/** What waits to be worked off, in all processes together: each of them tells the same. */
export class Backlog {
  #rows: Promise<Row[] | null> | undefined;
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

  #counts(rows: Row[] | null): Sample[] {
    if (rows === null) return [];
    const none = KINDS.map(kind => ({ labels: { kind, state: 'queued' }, value: 0 }));
    return [...none, ...rows.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count }))];
  }

  #ages(rows: Row[] | null): Sample[] {
    if (rows === null) return [];
    const ages = new Map(rows.flatMap(({ kind, state, oldest }) => (state === 'queued' ? [[kind, oldest]] : [])));
    return KINDS.map(kind => ({ labels: { kind }, value: Math.max(ages.get(kind) ?? 0, 0) }));
  }

  #look(): Promise<Row[] | null> {
    if (!this.#rows || Date.now() > this.#until) {
      this.#until = Date.now() + KEPT_MS;
      this.#rows = this.#ask();
    }
    return this.#rows;
  }

  /** Null when the database does not answer: whoever looks is told that, and not kept waiting. */
  async #ask(): Promise<Row[] | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>(resolve => {
      timer = setTimeout(() => resolve(null), PATIENCE_MS);
    });
    const rows = this.database.query<Row>(BACKLOG).catch((error: Error) => {
      this.log.warn({ reason: error.message }, 'the backlog could not be counted');
      return null;
    });
    return Promise.race([rows, late]).finally(() => clearTimeout(timer));
  }
}
