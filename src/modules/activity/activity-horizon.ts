import type { Sql } from '../../platform/database/database.js';
import { keyedQuery } from '../../platform/database/prepared-queries.js';
import { expression, type QueryCreator } from '../../platform/database/typed-queries.js';

interface CatalogTables {
  pg_stat_activity: { pid: number; datname: string; xact_start: Date | null };
}

// What was not to be seen yet when a look began is in a transaction of that moment, and a row bears the time at which its
// transaction began. A transaction is listed a little after that; one that lasts longer is waited for no more.
const HORIZON = keyedQuery('activity-horizon', (tables: QueryCreator<CatalogTables>) =>
  tables
    .selectFrom('pg_stat_activity')
    .select(expression<number>`floor(extract(epoch from least(min(xact_start), now())) * 1000)::float8 - 100`.as('ms'))
    .where('datname', '=', expression<string>`current_database()`)
    .where('pid', '!=', expression<number>`pg_backend_pid()`)
    .where('xact_start', '>', expression<Date>`now() - interval '1 minute'`),
);

/** The moment up to which everything that bears an earlier time can be seen, in milliseconds. */
export async function readHorizon(sql: Sql): Promise<number> {
  const [row] = await HORIZON(sql, {});
  return row!.ms;
}
