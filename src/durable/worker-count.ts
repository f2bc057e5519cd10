import type { Database } from '../platform/database/database.js';
import { expression, queryBuilder, rowCount } from '../platform/database/typed-queries.js';

/** Name of the LISTEN connection of a process that executes runs (`Bus`). */
export const WORKER_CONNECTION = 'scenarium worker';

interface Tables {
  pg_stat_activity: { datname: string; application_name: string };
}

/** Counts the processes that execute runs on this database, by their LISTEN connections. */
export async function countWorkers(database: Database): Promise<number> {
  const { workers } = await queryBuilder<Tables>(database)
    .selectFrom('pg_stat_activity')
    .select(rowCount().as('workers'))
    .where('application_name', '=', WORKER_CONNECTION)
    .where('datname', '=', expression<string>`current_database()`)
    .executeTakeFirstOrThrow();
  return workers;
}
