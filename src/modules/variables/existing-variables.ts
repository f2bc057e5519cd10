import type { Sql } from '../../platform/database/database.js';
import { expression, queryBuilder } from '../../platform/database/typed-queries.js';
import { isInScope, type PartScope } from '../projects/parts/part-scope.js';
import type { VariableTables } from './variable-tables.js';

/** Maps the ids of existing variables in the scope `within` to the ids of their names. Locks these rows against deletion. */
export async function findExistingVariables(
  sql: Sql,
  ids: readonly number[],
  within: PartScope,
): Promise<Map<number, Set<number>>> {
  if (ids.length === 0) return new Map();
  const rows = await queryBuilder<VariableTables>(sql)
    .selectFrom('variable as v')
    .select(['v.id', 'v.variable_names as names'])
    .where('v.id', '=', ({ fn }) => fn.any(expression<number[]>`${ids}::int[]`))
    .where('v.scenariorun_id', 'is', null)
    .where(isInScope('v.project_id', within))
    .orderBy('v.id')
    .forKeyShare('v')
    .execute();
  return new Map(rows.map(row => [row.id, new Set(row.names.map(name => name.id))]));
}
