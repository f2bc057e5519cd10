import type { Sql } from '../../../platform/database/database.js';
import { ConflictError } from '../../../platform/errors/errors.js';
import { readScenarioVariables } from '../../scenarios/scenario-contents.js';

// A copy of a copy keeps the id of the first original: it is what texts and conditions name.
const COPY_VARIABLES = `
  insert into variable
    (project_id, key, variable_names, last_name_id, is_global, keywordrun_id, keywordrun_mode, sort_id, scenariorun_id, original_id)
  select project_id, key, variable_names, last_name_id, is_global, keywordrun_id, keywordrun_mode, sort_id, $1, coalesce(original_id, id)
    from variable where id = any($2::int[]) order by sort_id, id`;

const COPY_PROMPTS = `
  insert into prompt (project_id, owner_id, key, role, content, prompt_conditions, sort_id, scenariorun_id, original_id)
  select project_id, owner_id, key, role, content, prompt_conditions, sort_id, $1, coalesce(original_id, id)
    from prompt
   where id in (select mp.prompt_id from scenario_message sm join message_prompt mp on mp.message_id = sm.message_id
                 where sm.scenario_id = $2)
   order by sort_id, id`;

const COPY_MESSAGES = `
  insert into message
    (project_id, key, provider, return_type, parameters, is_loop, loop_count, loop_variable_id, is_async, conditions,
     sort_id, scenariorun_id, original_id)
  select m.project_id, m.key, m.provider, m.return_type, m.parameters, m.is_loop, m.loop_count, v.id, m.is_async, m.conditions,
         m.sort_id, $1, coalesce(m.original_id, m.id)
    from scenario_message sm join message m on m.id = sm.message_id
    left join variable loop on loop.id = m.loop_variable_id
    left join variable v on v.scenariorun_id = $1 and v.original_id = coalesce(loop.original_id, loop.id)
   where sm.scenario_id = $2 order by m.sort_id, m.id`;

const LINK_PROMPTS = `
  insert into message_prompt (message_id, prompt_id)
  select m.id, p.id
    from scenario_message sm join message given on given.id = sm.message_id
    join message_prompt mp on mp.message_id = given.id join prompt sent on sent.id = mp.prompt_id
    join message m on m.scenariorun_id = $1 and m.original_id = coalesce(given.original_id, given.id)
    join prompt p on p.scenariorun_id = $1 and p.original_id = coalesce(sent.original_id, sent.id)
   where sm.scenario_id = $2`;

const COPY_SCENARIO = `
  insert into scenario
    (project_id, name, category_id, subcategory_id, run_fee, free_runs_per_user, available_languages, market_title,
     short_description, market_permission, readme_guide, sort_id, scenariorun_id)
  select project_id, name, category_id, subcategory_id, run_fee, free_runs_per_user, available_languages, market_title,
         short_description, market_permission, readme_guide, sort_id, $1
    from scenario where id = $2 returning id`;

const LINK_MESSAGES = `
  insert into scenario_message (scenario_id, message_id)
  select $2::int, id from message where scenariorun_id = $1`;

/** Copies a scenario, or another run's copy of one, for a run: later edits touch neither side. */
export async function copyScenario(sql: Sql, runId: number, scenarioId: number): Promise<void> {
  const variables = await readScenarioVariables(sql, [scenarioId]);
  await sql.query(COPY_VARIABLES, [runId, variables.map(({ to }) => to)]);
  await sql.query(COPY_PROMPTS, [runId, scenarioId]);
  await sql.query(COPY_MESSAGES, [runId, scenarioId]);
  await sql.query(LINK_PROMPTS, [runId, scenarioId]);
  const [copy] = await sql.query<{ id: number }>(COPY_SCENARIO, [runId, scenarioId]);
  if (!copy) throw new ConflictError('The scenario was deleted meanwhile.');
  await sql.query(LINK_MESSAGES, [runId, copy.id]);
}
