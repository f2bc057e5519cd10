import type { Sql } from '../../platform/database/database.js';

/** Which of these prompts the project has. They stay until the transaction ends. */
export async function existingPrompts(sql: Sql, ids: readonly number[], project: number): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await sql.query<{ id: number }>(
    `select id from prompt where id = any($1::int[]) and project_id = $2 and scenariorun_id is null
      order by id for key share`,
    [ids, project],
  );
  return new Set(rows.map(row => row.id));
}
