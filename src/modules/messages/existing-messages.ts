import type { Sql } from '../../platform/database/database.js';
import { expression, queryBuilder } from '../../platform/database/typed-queries.js';
import { isInScope, type PartScope } from '../projects/parts/part-scope.js';
import type { MessageTables } from './message-tables.js';

/**
 * Returns those of `ids` that are messages in the scope, and locks their rows against deletion until the transaction
 * ends. Excludes the copies of scenario runs, which belong to their run.
 */
export async function findExistingMessageIds(
  sql: Sql,
  ids: readonly number[],
  within: PartScope,
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await queryBuilder<MessageTables>(sql)
    .selectFrom('message as t')
    .select('t.id')
    .where('t.id', '=', ({ fn }) => fn.any(expression<number[]>`${ids}::int[]`))
    .where('t.scenariorun_id', 'is', null)
    .where(isInScope('t.project_id', within))
    .orderBy('t.id')
    .forKeyShare('t')
    .execute();
  return new Set(rows.map(row => row.id));
}
