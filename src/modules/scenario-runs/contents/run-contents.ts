import type { Prompt, Scenario } from '../../../engine/scenario/scenario.js';
import type { Sql } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import type { ScenarioRunTables } from '../scenario-run-tables.js';
import type { InsertedVariable } from './inserted-variable.type.js';

type Row<Part> = Omit<Part, 'originalId'> & { originalId: number | null };

/** Reads the messages, prompts and variables that were copied for a run, in the form that the engine requires. */
export async function readContents(
  sql: Sql,
  runId: number,
  insertedVariables: readonly InsertedVariable[],
): Promise<Scenario> {
  const tables = queryBuilder<ScenarioRunTables>(sql);
  const messages = await tables
    .selectFrom('message as m')
    .select(['m.id', 'm.original_id as originalId', 'm.key', 'm.sort_id as sortId', 'm.provider'])
    .select(['m.return_type as returnType', 'm.parameters', 'm.is_loop as isLoop', 'm.loop_count as loopCount'])
    .select(['m.loop_variable_id as loopVariable', 'm.is_async as isAsync', 'm.conditions'])
    .select(({ selectFrom }) =>
      selectFrom('message_prompt as mp')
        .select(({ fn }) => fn.agg<number[]>('json_agg', ['mp.prompt_id']).as('ids'))
        .whereRef('mp.message_id', '=', 'm.id')
        .as('promptIds'),
    )
    .where('m.scenariorun_id', '=', runId)
    .orderBy('m.sort_id')
    .orderBy('m.id')
    .execute();
  const prompts = await tables
    .selectFrom('prompt')
    .select(['id', 'original_id as originalId', 'key', 'sort_id as sortId', 'role', 'content'])
    .select('prompt_conditions as conditions')
    .where('scenariorun_id', '=', runId)
    .orderBy('sort_id')
    .orderBy('id')
    .$castTo<Row<Prompt & { originalId?: number }>>()
    .execute();
  const variables = await tables
    .selectFrom('variable')
    .select(['id', 'original_id as originalId', 'key', 'variable_names as values'])
    .where('scenariorun_id', '=', runId)
    .orderBy('sort_id')
    .orderBy('id')
    .execute();
  const byId = new Map(prompts.map(prompt => [prompt.id, prompt]));
  return {
    messages: messages.map(({ promptIds, ...message }) => ({
      ...toEnginePart(message),
      // In any order: the engine sorts them by `sortId`.
      prompts: (promptIds ?? []).flatMap(id => byId.get(id) ?? []),
    })),
    variables: variables.map(toEnginePart),
    insertedVariables,
  };
}

function toEnginePart<R extends { originalId: number | null }>({ originalId, ...row }: R) {
  return originalId === null ? row : { ...row, originalId };
}
