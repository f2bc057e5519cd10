import type { Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import type { InsertedVariable } from './contents/inserted-variable.type.js';
import { toTokens } from './contents/run-outcomes.js';
import type { ScenarioRun } from './scenario-run.js';
import type { ScenarioRunTables } from './scenario-run-tables.js';

/** A run as it is selected. The numbers of its tokens are separate columns. */
export type ScenarioRunRow = Omit<ScenarioRun, 'tokens'> & { promptTokens: number; completionTokens: number };

/** Columns for lists. Field resolvers load the inserted variables, except for runs with `isShortened`. */
const COLUMNS = [
  ...(['scenario_run.id', 'scenario_run.scenario_id as scenarioId', 'scenario_run.project_id as projectId'] as const),
  ...(['scenario_run.status', 'scenario_run.webhook_url as webhookUrl'] as const),
  ...(['scenario_run.do_run_default as doRunDefault', 'scenario_run.prompt_tokens as promptTokens'] as const),
  ...(['scenario_run.completion_tokens as completionTokens', 'scenario_run.cost_usd as costUsd'] as const),
  ...(['scenario_run.error', 'scenario_run.created_at as createdAt', 'scenario_run.updated_at as updatedAt'] as const),
  ...(['scenario_run.started_at as startedAt', 'scenario_run.finished_at as finishedAt'] as const),
] as const;

/** Selects runs for a list, newest first. */
export function selectNewestScenarioRuns(sql: Sql) {
  return queryBuilder<ScenarioRunTables>(sql)
    .selectFrom('scenario_run')
    .select(COLUMNS)
    .orderBy('scenario_run.created_at', 'desc')
    .orderBy('scenario_run.id', 'desc')
    .$castTo<ScenarioRunRow>();
}

/** Reads one run with its inserted variables. The caller has checked access. */
export async function readScenarioRun(sql: Sql, id: number): Promise<ScenarioRun> {
  const row = await queryBuilder<ScenarioRunTables>(sql)
    .selectFrom('scenario_run')
    .select(COLUMNS)
    .select('scenario_run.inserted_variables as insertedVariables')
    .where('id', '=', id)
    .$castTo<ScenarioRunRow & { insertedVariables: InsertedVariable[] }>()
    .executeTakeFirst();
  if (!row) throw new NotFoundError();
  return toScenarioRun(row);
}

export function toScenarioRun({ promptTokens, completionTokens, ...row }: ScenarioRunRow): ScenarioRun {
  return { ...row, tokens: toTokens({ promptTokens, completionTokens }) };
}
