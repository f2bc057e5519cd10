import type { Sql } from '../../platform/database/database.js';
import { type Within, withinSql } from '../projects/parts/within.js';

/** Which of these messages exist. They stay until the transaction ends. */
export async function existingMessages(sql: Sql, ids: readonly number[], within: Within): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const values: unknown[] = [ids];
  const rows = await sql.query<{ id: number }>(
    `select t.id from message t
      where t.id = any($1::int[]) and t.scenariorun_id is null and ${withinSql('t.project_id', within, values)}
      order by t.id for key share of t`,
    values,
  );
  return new Set(rows.map(row => row.id));
}
