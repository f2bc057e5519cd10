import type DataLoader from 'dataloader';
import { parseTemplate, placeholdersOf } from '../../engine/scenario/placeholders.js';
import type { Database, Sql } from '../../platform/database/database.js';
import type { RequestContext } from '../accounts/request-context.js';
import { groupLoader } from '../projects/parts/part-loaders.js';
import type { Condition } from '../prompts/condition.type.js';
import { Prompt } from '../prompts/prompt.js';
import { Variable } from '../variables/variable.js';

/** The prompts that the messages of a scenario send, each once, by position. */
export function promptsOfScenario(context: RequestContext, database: Database): DataLoader<number, Prompt[]> {
  return context.loader('scenario.prompts', () =>
    groupLoader(database, Prompt, ids =>
      database.query(
        `select distinct sm.scenario_id as "from", p.id as "to", p.sort_id
           from scenario_message sm join message_prompt mp on mp.message_id = sm.message_id join prompt p on p.id = mp.prompt_id
          where sm.scenario_id = any($1::int[]) order by p.sort_id, p.id`,
        [ids],
      ),
    ),
  );
}

/** The variables that a scenario's texts, conditions and loops name, and the global ones of its project, by position. */
export function variablesOfScenario(context: RequestContext, database: Database): DataLoader<number, Variable[]> {
  return context.loader('scenario.variables', () =>
    groupLoader(database, Variable, async ids => readScenarioVariables(database, ids)),
  );
}

interface Named {
  scenario: number;
  content: string | null;
  conditions: Condition[];
  loopVariable: number | null;
}

/** Pairs of a scenario and a variable of it, by position. A run has copies of nothing else. */
export async function readScenarioVariables(sql: Sql, ids: readonly number[]): Promise<{ from: number; to: number }[]> {
  const named = await sql.query<Named>(
    `select sm.scenario_id as scenario, null as content, m.conditions, m.loop_variable_id as "loopVariable"
       from scenario_message sm join message m on m.id = sm.message_id where sm.scenario_id = any($1::int[])
     union all
     select sm.scenario_id, p.content, p.prompt_conditions, null
       from scenario_message sm join message_prompt mp on mp.message_id = sm.message_id join prompt p on p.id = mp.prompt_id
      where sm.scenario_id = any($1::int[])`,
    [ids],
  );
  const pairs = named.flatMap(row => variablesNamed(row).map(variable => ({ scenario: row.scenario, variable })));
  return sql.query(
    `select s.id as "from", v.id as "to"
       from scenario s join variable v
         on v.project_id = s.project_id and v.scenariorun_id is not distinct from s.scenariorun_id
      where s.id = any($1::int[])
        and (s.scenariorun_id is not null or v.is_global or exists (
          select 1 from unnest($2::int[], $3::int[]) as n (scenario, variable) where n.scenario = s.id and n.variable = v.id))
      order by v.sort_id, v.id`,
    [ids, pairs.map(pair => pair.scenario), pairs.map(pair => pair.variable)],
  );
}

const MAX_ID = 2_147_483_647;

function variablesNamed({ content, conditions, loopVariable }: Named): number[] {
  const named = [
    ...placeholdersOf(parseTemplate(content ?? '')).flatMap(placeholder =>
      placeholder.kind === 'variable' ? placeholder.variable : [],
    ),
    ...conditions.flatMap(condition => condition.variable ?? []),
    ...(loopVariable === null ? [] : [loopVariable]),
  ];
  return [...new Set(named)].filter(id => id <= MAX_ID);
}
