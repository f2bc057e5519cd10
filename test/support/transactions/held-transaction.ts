import pg from 'pg';
import { databaseUrl } from '../config.js';
import { eventually } from '../eventually.js';
import type { TestService } from '../service.js';

/** Resolves when a statement waits for a lock in the database of `query`. */
export async function awaitLock(query: (sql: string) => Promise<unknown[]>): Promise<void> {
  await eventually(
    () => query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
    rows => rows.length > 0,
  );
}

/** Executes statements, commits them when a statement of `act` waits for them, and returns the result of `act`. */
export async function whileHolding<T>(
  service: TestService,
  statements: readonly { text: string; values: unknown[] }[],
  act: () => Promise<T>,
): Promise<T> {
  const holder = new pg.Client({ connectionString: databaseUrl(service.database) });
  await holder.connect();
  try {
    await holder.query('begin');
    for (const statement of statements) await holder.query(statement);
    const result = act();
    await awaitLock(sql => service.sql(sql));
    await holder.query('commit');
    return await result;
  } finally {
    await holder.end();
  }
}

/** Deletes a row, commits the deletion when a statement of `act` waits for it, and returns the result of `act`. */
export function whileDeleting<T>(
  service: TestService,
  { table, id }: { table: string; id: number },
  act: () => Promise<T>,
): Promise<T> {
  return whileHolding(service, [{ text: `delete from ${table} where id = $1`, values: [id] }], act);
}
