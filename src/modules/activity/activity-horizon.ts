import type { Sql } from '../../platform/database/database.js';
import { keyedQuery } from '../../platform/database/prepared-queries.js';
import { expression, type QueryCreator } from '../../platform/database/typed-queries.js';

/** The columns of the PostgreSQL view that the query uses. */
interface CatalogTables {
  pg_stat_activity: { pid: number; datname: string; xact_start: Date | null };
}

// The horizon is the start of the oldest open transaction, because rows have the start time of their
// transaction and become visible later. It is 100 ms earlier, because transactions appear in pg_stat_activity
// with a delay. Transactions longer than one minute are ignored.
const HORIZON = keyedQuery('activity-horizon', (tables: QueryCreator<CatalogTables>) =>
  tables
    .selectFrom('pg_stat_activity')
    .select(expression<number>`floor(extract(epoch from least(min(xact_start), now())) * 1000)::float8 - 100`.as('ms'))
    .where('datname', '=', expression<string>`current_database()`)
    .where('pid', '!=', expression<number>`pg_backend_pid()`)
    .where('xact_start', '>', expression<Date>`now() - interval '1 minute'`),
);

/** Returns the horizon in milliseconds of the database clock: all rows with an earlier time are visible. */
export async function readHorizon(sql: Sql): Promise<number> {
  const [row] = await HORIZON(sql, {});
  return row!.ms;
}
