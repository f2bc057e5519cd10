import type { Sql } from '../../platform/database/database.js';
import { expression, queryBuilder } from '../../platform/database/typed-queries.js';
import type { PromptTables } from './prompt-tables.js';

/**
 * Returns those of `ids` that are prompts of the project, without the copies of scenario runs. Locks these rows against
 * deletion until the transaction ends.
 */
export async function findExistingPromptIds(sql: Sql, ids: readonly number[], projectId: number): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await queryBuilder<PromptTables>(sql)
    .selectFrom('prompt')
    .select('id')
    .where('id', '=', ({ fn }) => fn.any(expression<number[]>`${ids}::int[]`))
    .where('project_id', '=', projectId)
    .where('scenariorun_id', 'is', null)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Set(rows.map(row => row.id));
}
