import type { Database, Sql } from '../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../platform/database/prepared-queries.js';
import {
  type Expression,
  expression,
  expressionBuilder,
  type QueryCreator,
} from '../../platform/database/typed-queries.js';
import { ForbiddenError, InvalidInputError, NotFoundError } from '../../platform/errors/errors.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectTables } from './project-tables.js';
import { type Action, isAllowed, type ProjectRole } from './rights.js';

const ROLES_IN = keyedQuery(
  'roles-in',
  (
    tables: QueryCreator<ProjectTables>,
    value: Placeholder<{ projectIds: readonly number[]; userId: number; isAdmin: boolean }>,
  ) =>
    tables
      .selectFrom('project as p')
      .leftJoin('project_member as m', join =>
        join.onRef('m.project_id', '=', 'p.id').on('m.user_id', '=', value('userId')),
      )
      .select(['p.id', expression<ProjectRole>`case when ${value('isAdmin')} then 'owner' else m.role end`.as('role')])
      .where('p.id', '=', ({ fn }) => fn.any(expression<number[]>`${value('projectIds')}::int[]`))
      .where(({ or, eb }) => or([expression<boolean>`${value('isAdmin')}`, eb('m.id', 'is not', null)])),
);

/** The one place where an id is checked against what the viewer may see and do. */
export class ProjectAccess {
  constructor(private readonly database: Database) {}

  /** The viewer's role in each project, in the order asked; null where the project is not the viewer's to see. */
  async rolesIn(
    viewer: Viewer,
    projectIds: readonly number[],
    sql: Sql = this.database,
  ): Promise<(ProjectRole | null)[]> {
    const rows = await ROLES_IN(sql, { projectIds, userId: viewer.userId, isAdmin: viewer.isAdmin });
    const roles = new Map(rows.map(row => [row.id, row.role]));
    return projectIds.map(id => roles.get(id) ?? null);
  }

  /** Lets the viewer do `action` in the project, or throws: not found for a stranger, forbidden for a weak role. */
  async authorize(viewer: Viewer, projectId: number, action: Action, sql?: Sql): Promise<void> {
    const [role] = await this.rolesIn(viewer, [projectId], sql);
    assertAllowed(role ?? null, action);
  }

  /** The same for a project that an input names: one that is not the viewer's is a bad value of the member. */
  async authorizeNamed(viewer: Viewer, projectId: number, action: Action, member = 'project'): Promise<void> {
    try {
      await this.authorize(viewer, projectId, action);
    } catch (error) {
      if (error instanceof NotFoundError) throw new InvalidInputError({ [member]: ['Object does not exist.'] });
      throw error;
    }
  }
}

/** Decides by a role that a statement has read along with its object. */
export function assertAllowed(role: ProjectRole | null, action: Action): void {
  if (!role) throw new NotFoundError();
  if (!isAllowed(role, action)) throw new ForbiddenError();
}

/** A viewer whose members may be placeholders of a query that is compiled before its calls. */
export interface ViewerColumns {
  userId: number | Expression<number>;
  isAdmin: boolean | Expression<boolean>;
}

/** The viewer's role in the project of `projectColumn`; null for a stranger. */
export function viewersRole({ userId, isAdmin }: ViewerColumns, projectColumn: string) {
  const role = partOf(userId, projectColumn).select('viewers_part.role');
  return expression<ProjectRole | null>`case when ${isAdmin}::boolean then 'owner' else ${role} end`;
}

/** The condition that the project of `projectColumn` is the viewer's to see. */
export function isVisible({ userId, isAdmin }: ViewerColumns, projectColumn: string) {
  const part = partOf(userId, projectColumn).select(expression.lit(1).as('one'));
  return expression<boolean>`(${isAdmin}::boolean or exists ${part})`;
}

/** The alias is one that no query around it has. */
function partOf(userId: ViewerColumns['userId'], projectColumn: string) {
  return expressionBuilder<ProjectTables>()
    .selectFrom('project_member as viewers_part')
    .where('viewers_part.project_id', '=', expression.ref<number>(projectColumn))
    .where('viewers_part.user_id', '=', userId);
}
