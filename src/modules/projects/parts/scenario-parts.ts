import type { Sql } from '../../../platform/database/database.js';
import { type Expression, expression, queries } from '../../../platform/database/typed-queries.js';
import { ConflictError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import { ADVISORY_LOCKS } from '../../../platform/sql/advisory-locks.js';
import { MAX_INTEGER } from '../../../platform/sql/max-integer.js';
import type { Viewer } from '../../accounts/viewer.js';
import { assertAllowed, type ViewerColumns, viewersRole } from '../access.js';
import type { Action, ProjectRole } from '../rights.js';
import { Positions } from './positions.js';

/**
 * Tables of what scenarios are made of, and of scenarios themselves. Their rows have a position within the project; a
 * run works on copies, which bear its id in `scenariorun_id`, have no place in the order and may repeat keys.
 */
export type PartTable = 'variable' | 'prompt' | 'message' | 'scenario';

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

/** Prompts without a project stand in an order of their owner's. */
export const OWN_PROMPT_POSITIONS = new Positions({
  table: 'prompt',
  scope: 'owner_id',
  absent: 'scenariorun_id',
  lock: ADVISORY_LOCKS.ownPromptPositions,
});

export interface LocatedPart {
  id: number;
  /** Null for a prompt that belongs to its creator alone. */
  projectId: number | null;
  sortId: number;
  scenariorunId: number | null;
}

/**
 * Finds a part if the viewer may do `action` with it, and throws otherwise. The one statement by which ids of parts are
 * checked. A run's copy can be read; what changes it goes through the run. `lock` is a locking clause on `t`.
 */
export async function locatePart(
  sql: Sql,
  table: PartTable,
  viewer: Viewer,
  id: number,
  action: Action,
  lock: '' | 'for no key update of t' = '',
): Promise<LocatedPart> {
  const row = await queries<Record<PartTable, PartColumns>>(sql)
    .selectFrom(`${table} as t`)
    .select(['t.id', 't.project_id as projectId', 't.sort_id as sortId', 't.scenariorun_id as scenariorunId'])
    .select(partRole(table, viewer).as('role'))
    .where('t.id', '=', id)
    .$if(lock !== '', query => query.forNoKeyUpdate('t'))
    .executeTakeFirst();
  assertAllowed(row?.role ?? null, action);
  const { role: _, ...part } = row!;
  if (part.scenariorunId !== null && action !== 'project.read')
    throw new ConflictError('It belongs to a scenario run and is changed through the run alone.');
  return part;
}

/** The columns that every kind of parts has; `owner_id` only prompts. */
export interface PartColumns {
  id: number;
  project_id: number | null;
  owner_id: number | null;
  sort_id: number;
  scenariorun_id: number | null;
}

/** The viewer's role for the part of row `t`; null for a part that the viewer may not see. */
export function partRole(table: PartTable, viewer: ViewerColumns) {
  const role = viewersRole(viewer, 't.project_id');
  if (table !== 'prompt') return role;
  return expression<ProjectRole | null>`case when t.project_id is not null then ${role}
    when t.owner_id = ${viewer.userId} then 'owner' end`;
}

/** Finds a part that lies in a project, which all but a person's own prompts do. */
export async function locateProjectPart(
  ...given: Parameters<typeof locatePart>
): Promise<LocatedPart & { projectId: number }> {
  const part = await locatePart(...given);
  return { ...part, projectId: part.projectId! };
}

/** Which rows of runs a list holds. */
export interface PartFilter {
  /** `true`, `false`, or a run’s id as text. */
  scenariorun?: string | number | null;
  scenariorunIsNull?: boolean | null;
}

/** The condition for `scenariorun_id` of rows `t` that a filter asks for; unless it asks, rows of runs are left out. */
export function runCondition(filter?: PartFilter | null): Expression<boolean> {
  const { scenariorun, scenariorunIsNull } = filter ?? {};
  if (scenariorun == null && scenariorunIsNull == null) return IS_OF_NO_RUN;
  const conditions: Expression<boolean>[] = [];
  const asked = String(scenariorun ?? '').toLowerCase();
  if (asked === 'true' || asked === 'false') conditions.push(asked === 'true' ? IS_OF_A_RUN : IS_OF_NO_RUN);
  else if (scenariorun != null) conditions.push(expression`t.scenariorun_id = ${runId(asked)}`);
  if (scenariorunIsNull != null) conditions.push(scenariorunIsNull ? IS_OF_NO_RUN : IS_OF_A_RUN);
  return expression<boolean>`(${expression.join(conditions, expression` and `)})`;
}

const IS_OF_NO_RUN = expression<boolean>`t.scenariorun_id is null`;
const IS_OF_A_RUN = expression<boolean>`t.scenariorun_id is not null`;

function runId(asked: string): number {
  const faults = new Faults();
  if (!/^\d{1,10}$/.test(asked) || Number(asked) > MAX_INTEGER)
    faults.add('scenariorun', 'Must be true, false or the id of a scenario run.');
  faults.throwIfAny();
  return Number(asked);
}
