import type { Sql } from '../../../platform/database/database.js';
import { type Expression, expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import { ConflictError } from '../../../platform/errors/errors.js';
import { ADVISORY_LOCKS } from '../../../platform/sql/advisory-locks.js';
import type { Viewer } from '../../accounts/viewer.js';
import { assertAllowed, type ViewerParameters, viewersRole } from '../access.js';
import type { Action, ProjectRole } from '../rights.js';
import { Positions } from './positions.js';

/**
 * The tables of scenarios and their parts. Rows have a position within the project. A scenario run uses copies
 * with its id in `scenariorun_id`. Copies have no position, and their keys need not be unique.
 */
export type PartTable = 'variable' | 'prompt' | 'message' | 'scenario';

/** The positions of parts in their projects. Copies of runs have none. */
export const PART_POSITIONS: Record<PartTable, Positions> = {
  variable: new Positions({
    table: 'variable',
    scope: 'project_id',
    absent: 'scenariorun_id',
    lock: ADVISORY_LOCKS.variablePositions,
  }),
  prompt: new Positions({
    table: 'prompt',
    scope: 'project_id',
    absent: 'scenariorun_id',
    lock: ADVISORY_LOCKS.promptPositions,
  }),
  message: new Positions({
    table: 'message',
    scope: 'project_id',
    absent: 'scenariorun_id',
    lock: ADVISORY_LOCKS.messagePositions,
  }),
  scenario: new Positions({
    table: 'scenario',
    scope: 'project_id',
    absent: 'scenariorun_id',
    lock: ADVISORY_LOCKS.scenarioPositions,
  }),
};

/** Prompts without a project are ordered per owner. */
export const OWN_PROMPT_POSITIONS = new Positions({
  table: 'prompt',
  scope: 'owner_id',
  absent: 'scenariorun_id',
  lock: ADVISORY_LOCKS.ownPromptPositions,
});

/** A part on which the viewer may perform an action. */
export interface LocatedPart {
  id: number;
  /** Null for a personal prompt. */
  projectId: number | null;
  sortId: number;
  scenarioRunId: number | null;
}

/**
 * Finds a part and asserts that the viewer may perform `action` on it. Copies of runs are read-only here; the
 * run itself changes them. `lock` locks the row until the end of the transaction.
 * @throws NotFoundError if the viewer may not read the part
 * @throws ForbiddenError if the role is too weak
 * @throws ConflictError if a copy of a run would be changed
 */
export async function locatePart(
  sql: Sql,
  table: PartTable,
  viewer: Viewer,
  id: number,
  action: Action,
  { lock = false }: { lock?: boolean } = {},
): Promise<LocatedPart> {
  const row = await queryBuilder<Record<PartTable, PartColumns>>(sql)
    .selectFrom(`${table} as t`)
    .select(['t.id', 't.project_id as projectId', 't.sort_id as sortId', 't.scenariorun_id as scenarioRunId'])
    .select(partRole(table, viewer).as('role'))
    .where('t.id', '=', id)
    .$if(lock, query => query.forNoKeyUpdate('t'))
    .executeTakeFirst();
  assertAllowed(row?.role ?? null, action);
  const { role: _, ...part } = row!;
  if (part.scenarioRunId !== null && action !== 'project.read')
    throw new ConflictError('This is a copy that belongs to a scenario run. Change it through the run.');
  return part;
}

/** The columns that all kinds of parts have in common. Only prompts have `owner_id`. */
export interface PartColumns {
  id: number;
  project_id: number | null;
  owner_id: number | null;
  sort_id: number;
  scenariorun_id: number | null;
}

/** Returns an expression for the role of the viewer for the part `t`. Null: the viewer may not read the part. */
export function partRole(table: PartTable, viewer: ViewerParameters) {
  const role = viewersRole(viewer, 't.project_id');
  if (table !== 'prompt') return role;
  return expression<ProjectRole | null>`case when t.project_id is not null then ${role}
    when t.owner_id = ${viewer.userId} then 'owner' end`;
}

/** Finds a part that belongs to a project. Do not use it for prompts, which may have no project. */
export async function locateProjectPart(
  ...args: Parameters<typeof locatePart>
): Promise<LocatedPart & { projectId: number }> {
  const part = await locatePart(...args);
  return { ...part, projectId: part.projectId! };
}

/** Filters a list by the copies of scenario runs. */
export interface PartFilter {
  scenarioRunId?: number | null;
  hasScenarioRun?: boolean | null;
}

/** Returns the condition of a filter on `scenariorun_id` of the rows `t`. By default, copies of runs are excluded. */
export function runCondition(filter?: PartFilter | null): Expression<boolean> {
  const { scenarioRunId, hasScenarioRun } = filter ?? {};
  const conditions: Expression<boolean>[] = [];
  if (scenarioRunId != null) conditions.push(expression`t.scenariorun_id = ${scenarioRunId}`);
  if (hasScenarioRun != null) conditions.push(hasScenarioRun ? IS_OF_A_RUN : IS_OF_NO_RUN);
  if (conditions.length === 0) return IS_OF_NO_RUN;
  return expression<boolean>`(${expression.join(conditions, expression` and `)})`;
}

const IS_OF_NO_RUN = expression<boolean>`t.scenariorun_id is null`;
const IS_OF_A_RUN = expression<boolean>`t.scenariorun_id is not null`;
