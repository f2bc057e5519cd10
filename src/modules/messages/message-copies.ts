import type { Sql } from '../../platform/database/database.js';
import { anyInt, queryBuilder } from '../../platform/database/typed-queries.js';
import type { PromptTables } from '../prompts/prompt-tables.js';
import type { VariableTables } from '../variables/variable-tables.js';
import type { MessageTables } from './message-tables.js';

/** This module only reads variables and prompts. */
type Tables = MessageTables & VariableTables & PromptTables;

const COPIED_COLUMNS = [
  'project_id',
  'key',
  'provider',
  'return_type',
  'parameters',
  'is_loop',
  'loop_count',
  'is_async',
  'conditions',
  'sort_id',
] as const;

/**
 * Copies messages for a scenario run. The variables and prompts must be copied first, because the new messages refer to
 * those copies. A copy of a copy keeps the id of the first original.
 */
export async function copyMessages(sql: Sql, runId: number, ids: readonly number[]): Promise<void> {
  await queryBuilder<Tables>(sql)
    .insertInto('message')
    .columns([...COPIED_COLUMNS, 'loop_variable_id', 'scenariorun_id', 'original_id'])
    .expression(messages =>
      messages
        .selectFrom('message as m')
        // `v` is the copy of the loop variable for this run. A loop variable that is itself a copy names its original.
        .leftJoin('variable as loop', 'loop.id', 'm.loop_variable_id')
        .leftJoin('variable as v', join =>
          join
            .on('v.scenariorun_id', '=', runId)
            .on(({ eb, fn }) => eb('v.original_id', '=', fn.coalesce('loop.original_id', 'loop.id'))),
        )
        .select(COPIED_COLUMNS.map(column => `m.${column}` as const))
        .select('v.id as loop_variable')
        .select(({ fn, val }) => [val(runId).as('run'), fn.coalesce('m.original_id', 'm.id').as('original')])
        .where('m.id', '=', anyInt(ids))
        .orderBy('m.sort_id')
        .orderBy('m.id'),
    )
    .execute();
  await linkPromptCopies(sql, runId, ids);
}

async function linkPromptCopies(sql: Sql, runId: number, ids: readonly number[]): Promise<void> {
  await queryBuilder<Tables>(sql)
    .insertInto('message_prompt')
    .columns(['message_id', 'prompt_id'])
    .expression(links =>
      links
        .selectFrom('message_prompt as mp')
        .innerJoin('message as source_message', 'source_message.id', 'mp.message_id')
        .innerJoin('prompt as source_prompt', 'source_prompt.id', 'mp.prompt_id')
        .innerJoin('message as m', join =>
          join
            .on('m.scenariorun_id', '=', runId)
            .on(({ eb, fn }) =>
              eb('m.original_id', '=', fn.coalesce('source_message.original_id', 'source_message.id')),
            ),
        )
        .innerJoin('prompt as p', join =>
          join
            .on('p.scenariorun_id', '=', runId)
            .on(({ eb, fn }) => eb('p.original_id', '=', fn.coalesce('source_prompt.original_id', 'source_prompt.id'))),
        )
        .select(['m.id', 'p.id as prompt'])
        .where('mp.message_id', '=', anyInt(ids)),
    )
    .execute();
}

/** Deletes the message copies of scenario runs. */
export async function deleteMessageCopies(sql: Sql, runIds: readonly number[]): Promise<void> {
  await queryBuilder<MessageTables>(sql).deleteFrom('message').where('scenariorun_id', '=', anyInt(runIds)).execute();
}
