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

const READ_ROLES = keyedQuery(
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

/** Checks the rights of a viewer in a project. */
export class ProjectAccess {
  constructor(private readonly database: Database) {}

  /** Returns the role of the viewer in each project, in the order of `projectIds`. Null: the viewer is not a member. */
  async rolesIn(
    viewer: Viewer,
    projectIds: readonly number[],
    sql: Sql = this.database,
  ): Promise<(ProjectRole | null)[]> {
    const rows = await READ_ROLES(sql, { projectIds, userId: viewer.userId, isAdmin: viewer.isAdmin });
    const roles = new Map(rows.map(row => [row.id, row.role]));
    return projectIds.map(id => roles.get(id) ?? null);
  }

  /**
   * Asserts that the viewer may perform `action` in the project.
   * @throws NotFoundError if the viewer is not a member
   * @throws ForbiddenError if the role is too weak
   */
  async authorize(viewer: Viewer, projectId: number, action: Action, sql?: Sql): Promise<void> {
    const [role] = await this.rolesIn(viewer, [projectId], sql);
    assertAllowed(role ?? null, action);
  }

  /**
   * Asserts the right for a project named in the input member `member`.
   * @throws InvalidInputError if the viewer is not a member of the project
   * @throws ForbiddenError if the role is too weak
   */
  async authorizeNamed(viewer: Viewer, projectId: number, action: Action, member = 'projectId'): Promise<void> {
    try {
      await this.authorize(viewer, projectId, action);
    } catch (error) {
      if (error instanceof NotFoundError) throw new InvalidInputError({ [member]: ['Object does not exist.'] });
      throw error;
    }
  }
}

/**
 * Asserts that a role permits an action. Use it with a role that was selected together with the object.
 * @throws NotFoundError if there is no role
 * @throws ForbiddenError if the role is too weak
 */
export function assertAllowed(role: ProjectRole | null, action: Action): void {
  if (!role) throw new NotFoundError();
  if (!isAllowed(role, action)) throw new ForbiddenError();
}

/** A viewer whose members may be placeholders of a prepared query. */
export interface ViewerParameters {
  userId: number | Expression<number>;
  isAdmin: boolean | Expression<boolean>;
}

/** Returns an expression for the role of the viewer in the project of `projectColumn`. Null: not a member. */
export function viewersRole({ userId, isAdmin }: ViewerParameters, projectColumn: string) {
  const role = membershipOf(userId, projectColumn).select('viewer_member.role');
  return expression<ProjectRole | null>`case when ${isAdmin}::boolean then 'owner' else ${role} end`;
}

/** Returns the condition that the viewer may read the project of `projectColumn`. */
export function isVisible({ userId, isAdmin }: ViewerParameters, projectColumn: string) {
  const membership = membershipOf(userId, projectColumn).select(expression.lit(1).as('one'));
  return expression<boolean>`(${isAdmin}::boolean or exists ${membership})`;
}

/** The alias must differ from the aliases of all enclosing queries. */
function membershipOf(userId: ViewerParameters['userId'], projectColumn: string) {
  return expressionBuilder<ProjectTables>()
    .selectFrom('project_member as viewer_member')
    .where('viewer_member.project_id', '=', expression.ref<number>(projectColumn))
    .where('viewer_member.user_id', '=', userId);
}
