import pg from 'pg';
import { databaseUrl } from './config.js';
import { eventually } from './eventually.js';
import type { TestService } from './service.js';

/** Deletes a row, commits the deletion when a statement of `act` waits for it, and returns the result of `act`. */
export async function whileDeleting<T>(
  service: TestService,
  row: { table: string; id: number },
  act: () => Promise<T>,
): Promise<T> {
  const deleter = new pg.Client({ connectionString: databaseUrl(service.database) });
  await deleter.connect();
  try {
    await deleter.query('begin');
    await deleter.query(`delete from ${row.table} where id = $1`, [row.id]);
    const result = act();
    await eventually(
      () =>
        service.sql(`select 1 from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`, [
          service.database,
        ]),
      rows => rows.length > 0,
    );
    await deleter.query('commit');
    return await result;
  } finally {
    await deleter.end();
  }
}
