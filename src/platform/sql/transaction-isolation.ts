import type { Sql } from '../database/database.js';

/** Makes every statement of a transaction read the state at its first one (REPEATABLE READ). Called before that statement. */
export async function readAsOfOneMoment(sql: Sql): Promise<void> {
  await sql.query('set transaction isolation level repeatable read');
}
