import type { Sql } from '../../platform/database/database.js';
import { anyInt, queryBuilder } from '../../platform/database/typed-queries.js';
import { ConflictError } from '../../platform/errors/errors.js';
import { copyMessages, deleteMessageCopies } from '../messages/message-copies.js';
import { copyPrompts, deletePromptCopies } from '../prompts/prompt-copies.js';
import { copyVariables, deleteVariableCopies } from '../variables/variable-copies.js';
import { readScenarioPrompts, readScenarioVariables } from './scenario-contents.js';
import type { ScenarioTables } from './scenario-tables.js';

const COPIED_COLUMNS = [
  ...(['project_id', 'name', 'category_id', 'subcategory_id', 'run_fee', 'free_runs_per_user'] as const),
  ...(['available_languages', 'market_title', 'short_description', 'market_permission'] as const),
  ...(['readme_guide', 'sort_id'] as const),
] as const;

/** Copies a scenario, or the copy of another run, for a run. Later edits of either side do not affect the other. */
export async function copyScenario(sql: Sql, runId: number, scenarioId: number): Promise<void> {
  const tables = queryBuilder<ScenarioTables>(sql);
  const variables = await readScenarioVariables(sql, [scenarioId]);
  const prompts = await readScenarioPrompts(sql, [scenarioId]);
  const messages = await tables
    .selectFrom('scenario_message')
    .select('message_id as id')
    .where('scenario_id', '=', scenarioId)
    .execute();
  await copyVariables(
    sql,
    runId,
    variables.map(({ to }) => to),
  );
  await copyPrompts(
    sql,
    runId,
    prompts.map(({ to }) => to),
  );
  await copyMessages(
    sql,
    runId,
    messages.map(({ id }) => id),
  );
  const copy = await tables
    .insertInto('scenario')
    .columns([...COPIED_COLUMNS, 'scenariorun_id'])
    .expression(scenarios =>
      scenarios
        .selectFrom('scenario')
        .select(COPIED_COLUMNS)
        .select(({ val }) => val(runId).as('run'))
        .where('id', '=', scenarioId),
    )
    .returning('id')
    .executeTakeFirst();
  if (!copy) throw new ConflictError('The scenario was deleted while the run was being created.');
  await tables
    .insertInto('scenario_message')
    .columns(['scenario_id', 'message_id'])
    .expression(links =>
      links
        .selectFrom('message')
        .select(({ cast, val }) => [cast(val(copy.id), 'integer').as('scenario'), 'id'])
        .where('scenariorun_id', '=', runId),
    )
    .execute();
}

/** Deletes the copies of runs. Messages go first, because their loops refer to variables. */
export async function deleteScenarioCopies(sql: Sql, runIds: readonly number[]): Promise<void> {
  await queryBuilder<ScenarioTables>(sql).deleteFrom('scenario').where('scenariorun_id', '=', anyInt(runIds)).execute();
  await deleteMessageCopies(sql, runIds);
  await deletePromptCopies(sql, runIds);
  await deleteVariableCopies(sql, runIds);
}
