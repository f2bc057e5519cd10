import type { Sql } from '../database/database.js';

const ROWS = 2_000;

/**
 * Deletes the rows of `table` that meet `condition`, a few at a time: no statement holds many rows, and one that is broken
 * off goes on in the next round. `id`: the columns of its key. Answers how many went.
 */
export async function clearRows(
  sql: Sql,
  { table, id, condition, values = [] }: { table: string; id: string; condition: string; values?: unknown[] },
): Promise<number> {
  const statement = `
    with gone as (
      delete from ${table} where (${id}) in (
        select ${id} from ${table} where ${condition} limit ${ROWS} for update skip locked)
      returning 1)
    select count(*)::int as gone from gone`;
  for (let all = 0; ; ) {
    const [row] = await sql.query<{ gone: number }>(statement, values);
    const gone = row?.gone ?? 0;
    all += gone;
    if (gone < ROWS) return all;
  }
}
