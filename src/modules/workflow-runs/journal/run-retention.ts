import { setTimeout } from 'node:timers/promises';
import type { TransactionalSql } from '../../../platform/database/sql-pool.js';
import { clearRows } from '../../../platform/sql/clear-rows.js';
import { expiredSql } from '../history/workflow-run.js';

const MONTHS_AHEAD = 2;
const PARENTS = ['workflow_run_payload', 'workflow_run_journal'];
/** Rows of so many runs move when their month goes. A month that keeps more is emptied run by run, and stays. */
const MOST_KEPT = 5_000;
/** Runs that one statement looks at. */
const PAGE = 1_000;
/** Everybody waits behind who waits for a lock: it is asked for shortly, and then left to the next round. */
const TRIES = 3;
const PAUSE_MS = 500;

const EXPIRED_MONTHS = `
  select c.relname as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = $1::regclass and c.relname ~ '_\\d{4}_\\d{2}$'
     and (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') at time zone 'UTC'
         <= now() - make_interval(days => $2::int)
   order by month`;

/** Months whose process died between taking them out and dropping them. */
const DETACHED_MONTHS = `
  select c.relname as month from pg_class c
   where c.relkind = 'r' and c.relname ~ ('^' || $1 || '_\\d{4}_\\d{2}$')
     and c.relnamespace = (select relnamespace from pg_class where oid = $1::regclass)
     and not exists (select from pg_inherits i where i.inhrelid = c.oid)`;

const gatherKept = (month: string) => `
  insert into workflow_run_kept (child, run_id)
  select distinct $2, r.id from ${month} t join workflow_run r on r.id = t.run_id where not ${expiredSql('$1')}
  on conflict do nothing`;

const clearPage = (partition: string) => `
  with page as (select distinct run_id from ${partition} where run_id > $2::uuid order by run_id limit ${PAGE}),
  gone as (
    delete from ${partition} where run_id in (
      select r.id from page join workflow_run r on r.id = page.run_id where ${expiredSql('$1')}))
  select run_id as last from page order by run_id desc limit 1`;

/**
 * Keeps the months of payloads and journal: makes the coming ones and drops those whose results have expired. Runs that keep
 * theirs move to the default partition, which is cleared run by run.
 */
export class RunRetention {
  constructor(
    private readonly database: TransactionalSql,
    private readonly ttlDays: number,
  ) {}

  /** One round. Safe to run twice, beside itself in another process, and after one that broke off anywhere. */
  async run(): Promise<void> {
    await this.database.query('select ensure_month_partitions($1)', [MONTHS_AHEAD]);
    for (const parent of PARENTS) {
      for (const month of await this.#months(EXPIRED_MONTHS, [parent, this.ttlDays])) {
        if ((await this.#gather(month)) > MOST_KEPT) await this.#clear(month);
        else await patiently(() => this.database.query('select detach_month($1, $2)', [parent, month]));
      }
      for (const month of await this.#months(DETACHED_MONTHS, [parent])) await patiently(() => this.#drop(month));
      await this.#clear(`${parent}_default`);
    }
    // What an agent asked to do is part of the result: its arguments may hold anything that the run worked on.
    await clearRows(this.database, {
      table: 'workflow_run_approval',
      id: 'id',
      condition: `run_id in (select r.id from workflow_run r where ${expiredSql('$1')})`,
      values: [this.ttlDays],
    });
  }

  async #months(statement: string, values: unknown[]): Promise<string[]> {
    return (await this.database.query<{ month: string }>(statement, values)).map(({ month }) => month);
  }

  /** Writes down whose rows of a month stay; answers how many runs that are. Replaced in one go: others may read it. */
  #gather(month: string): Promise<number> {
    return this.database.transaction(async sql => {
      await sql.query('delete from workflow_run_kept where child = $1', [month]);
      await sql.query(gatherKept(month), [this.ttlDays, month]);
      const [row] = await sql.query<{ kept: number }>(
        'select count(*)::int as kept from workflow_run_kept where child = $1',
        [month],
      );
      return row?.kept ?? 0;
    });
  }

  #drop(month: string): Promise<void> {
    return this.database.transaction(async sql => {
      await sql.query(`set local lock_timeout = '200ms'`);
      await sql.query(`drop table if exists ${month}`);
      await sql.query('delete from workflow_run_kept where child = $1', [month]);
    });
  }

  /** Deletes what has expired in one partition, some runs at a time, in the order of its key. */
  async #clear(partition: string): Promise<void> {
    let last: string | undefined = '00000000-0000-0000-0000-000000000000';
    while (last) {
      const [row]: { last: string }[] = await this.database.query(clearPage(partition), [this.ttlDays, last]);
      last = row?.last;
    }
  }
}

/** Tries again where a lock could not be had in time. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== '55P03' || attempt === TRIES) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}
