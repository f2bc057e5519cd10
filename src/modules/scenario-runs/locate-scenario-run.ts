import type { Sql } from '../../platform/database/database.js';
import { queries } from '../../platform/database/typed-queries.js';
import { InvalidInputError } from '../../platform/errors/errors.js';
import type { Viewer } from '../accounts/viewer.js';
import { judge, viewersRole } from '../projects/access.js';
import type { Action } from '../projects/rights.js';
import type { ScenarioRunStatus } from './scenario-run.js';
import type { ScenarioRunTables } from './scenario-run-tables.js';

const EXPIRED = 'The run has expired, and with it the copies that it worked on. Start its scenario instead.';

export interface LocatedScenarioRun {
  id: number;
  projectId: number;
  scenarioId: number | null;
  status: ScenarioRunStatus;
}

/**
 * Finds a run if the viewer may do `action` with it, and throws otherwise. The one statement by which ids of runs of
 * scenarios are checked. `isLocked`: for an update, until the transaction ends.
 */
export async function locateScenarioRun(
  sql: Sql,
  viewer: Viewer,
  id: number,
  action: Action,
  isLocked = false,
): Promise<LocatedScenarioRun> {
  const row = await queries<ScenarioRunTables>(sql)
    .selectFrom('scenario_run as r')
    .select(['r.id', 'r.project_id as projectId', 'r.scenario_id as scenarioId', 'r.status'])
    .select(viewersRole(viewer, 'r.project_id').as('role'))
    .where('r.id', '=', id)
    .$if(isLocked, query => query.forNoKeyUpdate('r'))
    .executeTakeFirst();
  judge(row?.role ?? null, action);
  return row!;
}

export interface RunSource {
  /** Of the scenario, or of a run's copy of one. */
  id: number;
  projectId: number;
  scenarioId: number | null;
  insertedVariables?: unknown;
}

/** What a new run is to be copied from. Throws NOT_FOUND for what is not the viewer's. */
export async function locateSource(
  sql: Sql,
  viewer: Viewer,
  from: { scenario: number } | { scenariorun: number },
): Promise<RunSource> {
  const row = 'scenario' in from ? await scenarioNamed(sql, viewer, from.scenario) : await runNamed(sql, viewer, from);
  judge(row?.role ?? null, 'scenario.run');
  const { id: source, ...rest } = row!;
  if (source === null) throw new InvalidInputError({ scenariorun: [EXPIRED] });
  return { id: source, ...rest };
}

function scenarioNamed(sql: Sql, viewer: Viewer, id: number) {
  return queries<ScenarioRunTables>(sql)
    .selectFrom('scenario as s')
    .select(['s.id', 's.project_id as projectId', 's.id as scenarioId'])
    .select(viewersRole(viewer, 's.project_id').as('role'))
    .where('s.id', '=', id)
    .where('s.scenariorun_id', 'is', null)
    .executeTakeFirst();
}

/** Without an id when the run has no copy of its scenario any more. */
function runNamed(sql: Sql, viewer: Viewer, { scenariorun }: { scenariorun: number }) {
  return queries<ScenarioRunTables>(sql)
    .selectFrom('scenario_run as r')
    .leftJoin('scenario as s', 's.scenariorun_id', 'r.id')
    .select(['s.id', 'r.project_id as projectId', 'r.scenario_id as scenarioId'])
    .select('r.inserted_variables as insertedVariables')
    .select(viewersRole(viewer, 'r.project_id').as('role'))
    .where('r.id', '=', scenariorun)
    .executeTakeFirst();
}
