import type { Sql } from '../../base/database.js';
import { type Within, withinSql } from '../projects/within.js';

/** Which of these messages exist. They stay until the transaction ends. */
export async function existingMessages(sql: Sql, ids: readonly number[], within: Within): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const values: unknown[] = [ids];
  const rows = await sql.query<{ id: number }>(
    `select m.id from message m
      where m.id = any($1::int[]) and m.scenariorun_id is null and ${withinSql('m.project_id', within, values)}
      order by m.id for key share of m`,
    values,
  );
  return new Set(rows.map(row => row.id));
}
