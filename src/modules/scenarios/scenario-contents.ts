import type DataLoader from 'dataloader';
import { parseTemplate, placeholdersOf } from '../../engine/scenario/placeholders.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { anyInt, expression, queryBuilder } from '../../platform/database/typed-queries.js';
import { MAX_INTEGER } from '../../platform/sql/max-integer.js';
import type { RequestContext } from '../accounts/request-context.js';
import { groupLoader } from '../projects/parts/part-loaders.js';
import type { StoredCondition } from '../prompts/condition.type.js';
import type { Prompt } from '../prompts/prompt.js';
import { PROMPT_READS } from '../prompts/prompt-reads.js';
import type { Variable } from '../variables/variable.js';
import { VARIABLE_READS } from '../variables/variable-reads.js';
import type { ScenarioTables } from './scenario-tables.js';

/** Loads the prompts that the messages of scenarios send: each prompt once, ordered by position. */
export function scenarioPromptLoader(context: RequestContext, database: Database): DataLoader<number, Prompt[]> {
  return context.loader('scenario.prompts', () =>
    groupLoader(
      ids => readScenarioPrompts(database, ids),
      ids => PROMPT_READS.byIds(database, ids),
    ),
  );
}

/** Reads pairs of scenario and prompt, without duplicates, ordered by the position of the prompt. */
export function readScenarioPrompts(sql: Sql, ids: readonly number[]): Promise<{ from: number; to: number }[]> {
  return queryBuilder<ScenarioTables>(sql)
    .selectFrom('scenario_message as sm')
    .innerJoin('message_prompt as mp', 'mp.message_id', 'sm.message_id')
    .innerJoin('prompt as p', 'p.id', 'mp.prompt_id')
    .distinct()
    .select(['sm.scenario_id as from', 'p.id as to', 'p.sort_id'])
    .where('sm.scenario_id', '=', anyInt(ids))
    .orderBy('p.sort_id')
    .orderBy('p.id')
    .execute();
}

/** Loads the variables that scenarios refer to and the global variables of their projects, ordered by position. */
export function scenarioVariableLoader(context: RequestContext, database: Database): DataLoader<number, Variable[]> {
  return context.loader('scenario.variables', () =>
    groupLoader(
      ids => readScenarioVariables(database, ids),
      ids => VARIABLE_READS.byIds(database, ids),
    ),
  );
}

interface VariableReferences {
  scenario: number;
  content: string | null;
  conditions: StoredCondition[];
  loopVariable: number | null;
}

/** Reads pairs of scenario and variable, ordered by position. The copy of a run has all variables of that run. */
export async function readScenarioVariables(sql: Sql, ids: readonly number[]): Promise<{ from: number; to: number }[]> {
  const pairs = (await readReferences(sql, ids)).flatMap(row =>
    referencedVariables(row).map(variable => ({ scenario: row.scenario, variable })),
  );
  const references = expression<{ scenario: number; variable: number }>`unnest(
    ${pairs.map(({ scenario }) => scenario)}::int[], ${pairs.map(({ variable }) => variable)}::int[])`;
  return queryBuilder<ScenarioTables>(sql)
    .selectFrom('scenario as s')
    .innerJoin('variable as v', join =>
      join
        .onRef('v.project_id', '=', 's.project_id')
        .onRef('v.scenariorun_id', 'is not distinct from', 's.scenariorun_id'),
    )
    .select(['s.id as from', 'v.id as to'])
    .where('s.id', '=', anyInt(ids))
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('s.scenariorun_id', 'is not', null),
        eb('v.is_global', '=', true),
        exists(
          selectFrom(references.as<'n'>(expression`n(scenario, variable)`))
            .select('n.scenario')
            .whereRef('n.scenario', '=', 's.id')
            .whereRef('n.variable', '=', 'v.id'),
        ),
      ]),
    )
    .orderBy('v.sort_id')
    .orderBy('v.id')
    .execute();
}

/** Reads everything that can refer to variables: prompt texts, conditions of prompts and messages, and loops. */
async function readReferences(sql: Sql, ids: readonly number[]): Promise<VariableReferences[]> {
  const tables = queryBuilder<ScenarioTables>(sql);
  const messages = tables
    .selectFrom('scenario_message as sm')
    .innerJoin('message as m', 'm.id', 'sm.message_id')
    .select(['sm.scenario_id as scenario', expression<string | null>`null::text`.as('content')])
    .select(['m.conditions', 'm.loop_variable_id as loopVariable'])
    .where('sm.scenario_id', '=', anyInt(ids));
  const prompts = tables
    .selectFrom('scenario_message as sm')
    .innerJoin('message_prompt as mp', 'mp.message_id', 'sm.message_id')
    .innerJoin('prompt as p', 'p.id', 'mp.prompt_id')
    .select(({ ref }) => ['sm.scenario_id as scenario', ref('p.content').$castTo<string | null>().as('content')])
    .select(['p.prompt_conditions as conditions', expression<number | null>`null::int`.as('loopVariable')])
    .where('sm.scenario_id', '=', anyInt(ids));
  return messages.unionAll(prompts).execute();
}

function referencedVariables({ content, conditions, loopVariable }: VariableReferences): number[] {
  const ids = [
    ...placeholdersOf(parseTemplate(content ?? '')).flatMap(placeholder =>
      placeholder.kind === 'variable' ? placeholder.variableId : [],
    ),
    ...conditions.flatMap(condition => condition.variable ?? []),
    ...(loopVariable === null ? [] : [loopVariable]),
  ];
  return [...new Set(ids)].filter(id => id <= MAX_INTEGER);
}
