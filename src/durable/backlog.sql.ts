import type { Sql } from '../platform/database/database.js';

/** The maximum number of rows that one query counts. A larger backlog is reported as this number. */
export const MOST = 100_000;

export interface BacklogRow {
  kind: string;
  state: string;
  count: number;
  /** Age in seconds of the oldest item in this state. Null for states without an age. */
  oldest: number | null;
}

/** Counts the unfinished runs of one table by state. Partial indexes of unfinished runs cover all columns it reads. */
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

/** Counts unfinished runs and pending webhook deliveries by kind and state. */
export function readBacklog(sql: Sql): Promise<BacklogRow[]> {
  return sql.query(BACKLOG);
}
