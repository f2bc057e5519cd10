import type { Sql } from '../../platform/database/database.js';
import { InvalidInputError } from '../../platform/errors/errors.js';
import type { Viewer } from '../accounts/viewer.js';
import { judge, roleSql } from '../projects/access.js';
import type { Action, ProjectRole } from '../projects/rights.js';
import type { ScenarioRunStatus } from './scenario-run.js';

const EXPIRED = 'The run has expired, and with it the copies that it worked on. Start its scenario instead.';

export interface LocatedScenarioRun {
  id: number;
  projectId: number;
  scenarioId: number | null;
  status: ScenarioRunStatus;
}

/**
 * Finds a run if the viewer may do `action` with it, and throws otherwise. The one statement by which ids of runs of
 * scenarios are checked. `lock` is a locking clause on `r`.
 */
export async function locateScenarioRun(
  sql: Sql,
  viewer: Viewer,
  id: number,
  action: Action,
  lock: '' | 'for no key update of r' | 'for update of r' = '',
): Promise<LocatedScenarioRun> {
  const [row] = await sql.query<LocatedScenarioRun & { role: ProjectRole | null }>(
    `select r.id, r.project_id as "projectId", r.scenario_id as "scenarioId", r.status,
            ${roleSql('r.project_id', '$2', '$3')} as role
       from scenario_run r where r.id = $1 ${lock}`,
    [id, viewer.userId, viewer.isAdmin],
  );
  judge(row?.role ?? null, action);
  return row!;
}

const NAMED_SCENARIO = `
  select s.id, s.project_id as "projectId", s.id as "scenarioId", ROLE as role
    from scenario s where s.id = $1 and s.scenariorun_id is null`.replace('ROLE', roleSql('s.project_id', '$2', '$3'));

const NAMED_RUN = `
  select s.id, r.project_id as "projectId", r.scenario_id as "scenarioId", ROLE as role,
         r.inserted_variables as "insertedVariables"
    from scenario_run r
    left join scenario s on s.scenariorun_id = r.id
   where r.id = $1`.replace('ROLE', roleSql('r.project_id', '$2', '$3'));

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
  const [text, id] = 'scenario' in from ? [NAMED_SCENARIO, from.scenario] : [NAMED_RUN, from.scenariorun];
  const [row] = await sql.query<Omit<RunSource, 'id'> & { id: number | null; role: ProjectRole | null }>(text, [
    id,
    viewer.userId,
    viewer.isAdmin,
  ]);
  judge(row?.role ?? null, 'scenario.run');
  const { id: source, ...rest } = row!;
  if (source === null) throw new InvalidInputError({ scenariorun: [EXPIRED] });
  return { id: source, ...rest };
}
