import type { Message, Prompt, Scenario, Variable } from '../../../engine/scenario/scenario.js';
import type { Sql } from '../../../platform/database/database.js';
import type { InsertedVariable } from './inserted-variable.type.js';

const MESSAGES = `
  select m.id, m.original_id as "originalId", m.key, m.sort_id as "sortId", m.provider, m.return_type as "returnType",
         m.parameters, m.is_loop as "isLoop", m.loop_count as "loopCount", m.loop_variable_id as "loopVariable",
         m.is_async as "isAsync", m.conditions,
         coalesce((select json_agg(mp.prompt_id) from message_prompt mp where mp.message_id = m.id), '[]') as "promptIds"
    from message m where m.scenariorun_id = $1 order by m.sort_id, m.id`;

const PROMPTS = `
  select id, original_id as "originalId", key, sort_id as "sortId", role, content, prompt_conditions as conditions
    from prompt where scenariorun_id = $1 order by sort_id, id`;

const VARIABLES = `
  select id, original_id as "originalId", key, variable_names as values from variable
   where scenariorun_id = $1 order by sort_id, id`;

type Row<Part> = Omit<Part, 'originalId'> & { originalId: number | null };

/** The copies that a run works on, as the engine takes them. */
export async function readContents(
  sql: Sql,
  runId: number,
  insertedVariables: readonly InsertedVariable[],
): Promise<Scenario> {
  const messages = await sql.query<Row<Omit<Message, 'prompts'>> & { promptIds: number[] }>(MESSAGES, [runId]);
  const prompts = await sql.query<Row<Prompt & { originalId?: number }>>(PROMPTS, [runId]);
  const variables = await sql.query<Row<Variable>>(VARIABLES, [runId]);
  const byId = new Map(prompts.map(prompt => [prompt.id, prompt]));
  return {
    messages: messages.map(({ promptIds, ...message }) => ({
      ...copied(message),
      prompts: promptIds.flatMap(id => byId.get(id) ?? []),
    })),
    variables: variables.map(copied),
    insertedVariables,
  };
}

function copied<R extends { originalId: number | null }>({ originalId, ...row }: R) {
  return originalId === null ? row : { ...row, originalId };
}
