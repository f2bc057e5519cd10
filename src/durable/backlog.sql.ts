import type { Sql } from '../platform/database/database.js';

/** The maximum number of rows that one query counts. A larger backlog is reported as this number. */
export const MAX_COUNTED = 100_000;

/** The number of items of one kind in one state. */
export interface BacklogRow {
  kind: string;
  state: string;
  count: number;
  /** Age in seconds of the oldest item in this state. Null for states without an age. */
  oldest: number | null;
}

/** Counts the unfinished runs of one table by state. Partial indexes of unfinished runs cover all columns it reads. */
function unfinishedRunsSql(
  kind: string,
  table: string,
  column: string,
  states: Record<string, string>,
  since: string,
): string {
  const cases = Object.entries(states).map(([stored, state]) => `when '${stored}' then '${state}'`);
  const list = Object.keys(states).map(state => `'${state}'`);
  return `
    select '${kind}' as kind, case state ${cases.join(' ')} end as state, count(*)::int as count,
           extract(epoch from now() - min(since))::float8 as oldest
      from (select ${column} as state, ${since} as since from ${table} where ${column} in (${list.join(', ')}) limit ${MAX_COUNTED}) t
     group by state`;
}

/** The state in the metric by the stored status of scenario, keyword and recognition runs. */
const STATES_BY_STATUS = { created: 'queued', in_progress: 'running' };
const BACKLOG = [
  unfinishedRunsSql('workflow', 'workflow_run', 'state', { queued: 'queued' }, 'queued_at'),
  unfinishedRunsSql('workflow', 'workflow_run', 'state', { running: 'running' }, 'null::timestamptz'),
  unfinishedRunsSql('workflow', 'workflow_run', 'state', { waiting: 'waiting' }, 'null::timestamptz'),
  unfinishedRunsSql('scenario', 'scenario_run', 'status', STATES_BY_STATUS, 'queued_at'),
  unfinishedRunsSql('keyword', 'keyword_run', 'status', STATES_BY_STATUS, 'queued_at'),
  unfinishedRunsSql('recognition', 'recognition_run', 'state', STATES_BY_STATUS, 'updated_at'),
  unfinishedRunsSql('rehearsal', 'rehearsal', 'state', { queued: 'queued', running: 'running' }, 'updated_at'),
  `select 'webhook', 'queued', count(*)::int, extract(epoch from now() - min(next_at))::float8
     from (select next_at from webhook_delivery where state = 'pending' and next_at <= now() limit ${MAX_COUNTED}) t`,
  `select 'webhook', 'waiting', count(*)::int, null::float8
     from (select 1 from webhook_delivery where state = 'pending' and next_at > now() limit ${MAX_COUNTED}) t`,
].join('\n  union all\n');

/** The jobs of one queue that are ready to be fetched. */
export interface ReadyJobs {
  queue: string;
  count: number;
  /** Seconds since the oldest of them became due. Null if none is ready. */
  oldest: number | null;
}

// Reads the entries of ready jobs in the index with which pg-boss fetches (`job_i11`: the queue, the order of fetching, `start_after`). It
// contains no fetched and no ended jobs, so that the tables of finished work are never read. Of more than MAX_COUNTED jobs, those that
// are fetched first are counted.
const READY_JOBS = `
  select q.name as queue, ready.count, ready.oldest
    from pgboss.queue q
   cross join lateral (
     select count(*)::int as count, extract(epoch from now() - min(start_after))::float8 as oldest
       from (select start_after from pgboss.job
              where name = q.name and state < 'active' and not blocked and start_after <= now()
              order by priority desc, created_on limit ${MAX_COUNTED}) t) ready`;

/** Counts the ready jobs of every queue. */
export function readReadyJobs(sql: Sql): Promise<ReadyJobs[]> {
  return sql.query(READY_JOBS);
}

/** Counts unfinished runs and pending webhook deliveries by kind and state. */
export function readBacklog(sql: Sql): Promise<BacklogRow[]> {
  return sql.query(BACKLOG);
}
