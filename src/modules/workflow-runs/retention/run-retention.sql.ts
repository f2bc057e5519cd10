import type { Sql } from '../../../platform/database/database.js';
import { expiredSql } from '../history/run-columns.js';

/** Number of future months with existing partitions. */
const MONTHS_AHEAD = 2;
/** Runs per statement. */
const PAGE = 1_000;

/** Selects the monthly partitions that ended more than $2 days ago. */
const EXPIRED_MONTHS = `
  select c.relname as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = $1::regclass and c.relname ~ '_\\d{4}_\\d{2}$'
     and (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') at time zone 'UTC'
         <= now() - make_interval(days => $2::int)
   order by month`;

/** Selects partitions that were detached but not dropped, because their process died in between. */
const DETACHED_MONTHS = `
  select c.relname as month from pg_class c
   where c.relkind = 'r' and c.relname ~ ('^' || $1 || '_\\d{4}_\\d{2}$')
     and c.relnamespace = (select relnamespace from pg_class where oid = $1::regclass)
     and not exists (select from pg_inherits i where i.inhrelid = c.oid)`;

/** Inserts the runs of the partition `month` whose results have not expired. $1: RUN_RESULT_TTL_DAYS. $2: the name of the partition. */
const insertKeptSql = (month: string) => `
  insert into workflow_run_kept (child, run_id)
  select distinct $2, r.id from ${month} t join workflow_run r on r.id = t.run_id where not ${expiredSql('$1')}
  on conflict do nothing`;

/** Deletes the expired rows among the next `PAGE` runs after $2. $1: RUN_RESULT_TTL_DAYS. */
const clearPageSql = (partition: string) => `
  with page as (select distinct run_id from ${partition} where run_id > $2::uuid order by run_id limit ${PAGE}),
  gone as (
    delete from ${partition} where run_id in (
      select r.id from page join workflow_run r on r.id = page.run_id where ${expiredSql('$1')}))
  select run_id as last from page order by run_id desc limit 1`;

/** Creates the partitions of the current and coming months. */
export async function ensureMonths(sql: Sql): Promise<void> {
  await sql.query('select ensure_month_partitions($1)', [MONTHS_AHEAD]);
}

/** Returns the names of expired partitions. */
export async function findExpiredMonths(sql: Sql, parent: string, days: number): Promise<string[]> {
  return (await sql.query<{ month: string }>(EXPIRED_MONTHS, [parent, days])).map(({ month }) => month);
}

/** Returns the names of partitions that were detached but not dropped. */
export async function findDetachedMonths(sql: Sql, parent: string): Promise<string[]> {
  return (await sql.query<{ month: string }>(DETACHED_MONTHS, [parent])).map(({ month }) => month);
}

/** Moves the kept rows of a partition to the default partition and detaches it. */
export async function detachMonth(sql: Sql, parent: string, month: string): Promise<void> {
  await sql.query('select detach_month($1, $2)', [parent, month]);
}

/**
 * Records which runs keep their rows of a month. Returns their number. Must run in a transaction, because other
 * processes may read the list.
 */
export async function recordKeptRuns(sql: Sql, month: string, days: number): Promise<number> {
  await sql.query('delete from workflow_run_kept where child = $1', [month]);
  await sql.query(insertKeptSql(month), [days, month]);
  const counted = 'select count(*)::int as kept from workflow_run_kept where child = $1';
  return (await sql.query<{ kept: number }>(counted, [month]))[0]!.kept;
}

/** Drops a detached partition. Must run in a transaction; waits at most 200 ms for its lock. */
export async function dropMonth(sql: Sql, month: string): Promise<void> {
  await sql.query(`set local lock_timeout = '200ms'`);
  await sql.query(`drop table if exists ${month}`);
  await sql.query('delete from workflow_run_kept where child = $1', [month]);
}

/**
 * Deletes expired rows of the next runs after `last` in one partition. Returns the last examined run, or undefined
 * at the end.
 */
export async function clearRunsAfter(
  sql: Sql,
  { partition, days, last }: { partition: string; days: number; last: string },
): Promise<string | undefined> {
  const [row] = await sql.query<{ last: string }>(clearPageSql(partition), [days, last]);
  return row?.last;
}
