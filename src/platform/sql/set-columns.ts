import type { Sql } from '../database/database.js';

/** Changes columns of one row by its id; names of tables and columns are the caller's own, never a client's. */
export async function setColumns(
  sql: Sql,
  table: string,
  id: number,
  changes: ReadonlyMap<string, unknown>,
): Promise<void> {
  const assignments = [...changes.keys()].map((column, index) => `${column} = $${index + 2}`);
  await sql.query(`update ${table} set ${assignments.join(', ')} where id = $1`, [id, ...changes.values()]);
}
