import type { Sql } from '../../platform/database/database.js';
import { anyInt, queryBuilder } from '../../platform/database/typed-queries.js';
import type { PromptTables } from './prompt-tables.js';

const COPIED_COLUMNS = ['project_id', 'owner_id', 'key', 'role', 'content', 'prompt_conditions', 'sort_id'] as const;

/** Copies prompts for a scenario run. A copy of a copy keeps the id of the first original. */
export async function copyPrompts(sql: Sql, runId: number, ids: readonly number[]): Promise<void> {
  await queryBuilder<PromptTables>(sql)
    .insertInto('prompt')
    .columns([...COPIED_COLUMNS, 'scenariorun_id', 'original_id'])
    .expression(prompts =>
      prompts
        .selectFrom('prompt')
        .select(COPIED_COLUMNS)
        .select(({ fn, val }) => [val(runId).as('run'), fn.coalesce('original_id', 'id').as('original')])
        .where('id', '=', anyInt(ids))
        .orderBy('sort_id')
        .orderBy('id'),
    )
    .execute();
}

/** Deletes the prompt copies of scenario runs. */
export async function deletePromptCopies(sql: Sql, runIds: readonly number[]): Promise<void> {
  await queryBuilder<PromptTables>(sql).deleteFrom('prompt').where('scenariorun_id', '=', anyInt(runIds)).execute();
}
