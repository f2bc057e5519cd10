import type { Sql } from '../../platform/database/database.js';
import { anyInt, NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import type { StoredNames } from './variable-names.js';
import type { VariableTables } from './variable-tables.js';

const COPIED_COLUMNS = [
  ...(['project_id', 'key', 'variable_names', 'last_name_id', 'is_global'] as const),
  ...(['keywordrun_id', 'keywordrun_mode', 'sort_id'] as const),
] as const;

/** Copies variables for a scenario run. A copy of a copy keeps the id of the first original, which prompts refer to. */
export async function copyVariables(sql: Sql, runId: number, ids: readonly number[]): Promise<void> {
  await queryBuilder<VariableTables>(sql)
    .insertInto('variable')
    .columns([...COPIED_COLUMNS, 'scenariorun_id', 'original_id'])
    .expression(variables =>
      variables
        .selectFrom('variable')
        .select(COPIED_COLUMNS)
        .select(({ fn, val }) => [val(runId).as('run'), fn.coalesce('original_id', 'id').as('original')])
        .where('id', '=', anyInt(ids))
        .orderBy('sort_id')
        .orderBy('id'),
    )
    .execute();
}

/** Reads the named values of a variable copy. */
export function readVariableNames(sql: Sql, id: number): Promise<StoredNames> {
  return queryBuilder<VariableTables>(sql)
    .selectFrom('variable')
    .select(['variable_names as names', 'last_name_id as lastId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Writes the key and the named values of a variable copy. */
export async function updateVariableCopy(
  sql: Sql,
  id: number,
  { key, names, lastId }: StoredNames & { key: string },
): Promise<void> {
  await queryBuilder<VariableTables>(sql)
    .updateTable('variable')
    .set({ key, variable_names: JSON.stringify(names), last_name_id: lastId, updated_at: NOW })
    .where('id', '=', id)
    .execute();
}

/** Deletes the variable copies of scenario runs. Delete the message copies first: their loops refer to variables. */
export async function deleteVariableCopies(sql: Sql, runIds: readonly number[]): Promise<void> {
  await queryBuilder<VariableTables>(sql).deleteFrom('variable').where('scenariorun_id', '=', anyInt(runIds)).execute();
}
