import type { Sql } from '../../platform/database/database.js';
import { type Within, withinSql } from '../projects/parts/within.js';

/** Which of these variables exist, each with the ids of its named values. They stay until the transaction ends. */
export async function existingVariables(
  sql: Sql,
  ids: readonly number[],
  within: Within,
): Promise<Map<number, Set<number>>> {
  if (ids.length === 0) return new Map();
  const values: unknown[] = [ids];
  const rows = await sql.query<{ id: number; names: { id: number }[] }>(
    `select v.id, v.variable_names as names from variable v
      where v.id = any($1::int[]) and v.scenariorun_id is null and ${withinSql('v.project_id', within, values)}
      order by v.id for key share of v`,
    values,
  );
  return new Map(rows.map(row => [row.id, new Set(row.names.map(name => name.id))]));
}
