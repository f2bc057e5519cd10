import type { Sql } from '../database/database.js';

/** Gives a transaction one snapshot for all its statements (REPEATABLE READ). Must be its first statement. */
export async function useSnapshot(sql: Sql): Promise<void> {
  await sql.query('set transaction isolation level repeatable read');
}
