import type { Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { InvalidInputError } from '../../platform/errors/errors.js';
import type { Viewer } from '../accounts/viewer.js';
import { assertAllowed, viewersRole } from '../projects/access.js';
import type { Action } from '../projects/rights.js';
import type { ScenarioRunStatus } from './scenario-run.js';
import type { ScenarioRunTables } from './scenario-run-tables.js';

const EXPIRED =
  'The run has expired, and its copies of messages, prompts and variables are deleted. Start its scenario instead.';

/** A run on which the viewer may perform an action. */
export interface LocatedScenarioRun {
  id: number;
  projectId: number;
  scenarioId: number | null;
  status: ScenarioRunStatus;
}

/**
 * Finds a scenario run for `action`. Throws NOT_FOUND without access to its project, FORBIDDEN without the right.
 * `lock` locks the row for an update until the transaction ends.
 */
export async function locateScenarioRun(
  sql: Sql,
  viewer: Viewer,
  id: number,
  action: Action,
  { lock = false }: { lock?: boolean } = {},
): Promise<LocatedScenarioRun> {
  const row = await queryBuilder<ScenarioRunTables>(sql)
    .selectFrom('scenario_run as r')
    .select(['r.id', 'r.project_id as projectId', 'r.scenario_id as scenarioId', 'r.status'])
    .select(viewersRole(viewer, 'r.project_id').as('role'))
    .where('r.id', '=', id)
    .$if(lock, query => query.forNoKeyUpdate('r'))
    .executeTakeFirst();
  assertAllowed(row?.role ?? null, action);
  return row!;
}

/** The scenario, or the copy of an earlier run, that a new run copies. */
export interface RunSource {
  /** Id of the scenario, or of the copy that another run made of it. */
  id: number;
  projectId: number;
  scenarioId: number | null;
  /** The settings of the earlier run, which the new run gets unless its request contains them. Absent for a scenario. */
  insertedVariables?: unknown;
  webhookUrl?: string;
  doRunDefault?: boolean;
}

/** Finds the scenario or earlier run that a new run copies. Throws NOT_FOUND if the viewer cannot access it. */
export async function locateSource(
  sql: Sql,
  viewer: Viewer,
  from: { scenarioId: number } | { scenarioRunId: number },
): Promise<RunSource> {
  const row =
    'scenarioId' in from
      ? await findScenario(sql, viewer, from.scenarioId)
      : await findRun(sql, viewer, from.scenarioRunId);
  assertAllowed(row?.role ?? null, 'scenario.run');
  const { id, ...rest } = row!;
  if (id === null) throw new InvalidInputError({ scenarioRunId: [EXPIRED] });
  return { id, ...rest };
}

function findScenario(sql: Sql, viewer: Viewer, id: number) {
  return queryBuilder<ScenarioRunTables>(sql)
    .selectFrom('scenario as s')
    .select(['s.id', 's.project_id as projectId', 's.id as scenarioId'])
    .select(viewersRole(viewer, 's.project_id').as('role'))
    .where('s.id', '=', id)
    .where('s.scenariorun_id', 'is', null)
    .executeTakeFirst();
}

/** The id is null if the copies of the run have expired. */
function findRun(sql: Sql, viewer: Viewer, id: number) {
  return queryBuilder<ScenarioRunTables>(sql)
    .selectFrom('scenario_run as r')
    .leftJoin('scenario as s', 's.scenariorun_id', 'r.id')
    .select(['s.id', 'r.project_id as projectId', 'r.scenario_id as scenarioId'])
    .select(['r.inserted_variables as insertedVariables', 'r.webhook_url as webhookUrl'])
    .select('r.do_run_default as doRunDefault')
    .select(viewersRole(viewer, 'r.project_id').as('role'))
    .where('r.id', '=', id)
    .executeTakeFirst();
}
