import type { Database, Sql } from '../../platform/database/database.js';
import { expression } from '../../platform/database/typed-queries.js';
import { ForbiddenError, InvalidInputError, NotFoundError } from '../../platform/errors/errors.js';
import type { Viewer } from '../accounts/viewer.js';
import { type Action, mayDo, type ProjectRole } from './rights.js';

/** The one place where an id is checked against what the viewer may see and do. */
export class ProjectAccess {
  constructor(private readonly database: Database) {}

  /** The viewer's role in each project, in the order asked; null where the project is not the viewer's to see. */
  async rolesIn(
    viewer: Viewer,
    projectIds: readonly number[],
    sql: Sql = this.database,
  ): Promise<(ProjectRole | null)[]> {
    const rows = await sql.byKey<{ id: number; role: ProjectRole }>(
      'roles-in',
      `select p.id, case when $3 then 'owner' else m.role end as role
         from project p left join project_member m on m.project_id = p.id and m.user_id = $2
        where p.id = any($1::int[]) and ($3 or m.id is not null)`,
      [projectIds, viewer.userId, viewer.isAdmin],
    );
    const roles = new Map(rows.map(row => [row.id, row.role]));
    return projectIds.map(id => roles.get(id) ?? null);
  }

  /** Lets the viewer do `action` in the project, or throws: not found for a stranger, forbidden for a weak role. */
  async authorize(viewer: Viewer, projectId: number, action: Action, sql?: Sql): Promise<void> {
    const [role] = await this.rolesIn(viewer, [projectId], sql);
    judge(role ?? null, action);
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
export function judge(role: ProjectRole | null, action: Action): void {
  if (!role) throw new NotFoundError();
  if (!mayDo(role, action)) throw new ForbiddenError();
}

/** The viewer's role in the project of `projectColumn`, for typed queries; null for a stranger. */
export function viewersRole({ userId, isAdmin }: Viewer, projectColumn: string) {
  return expression<ProjectRole | null>`case when ${isAdmin} then 'owner' else
    (select viewers_part.role from project_member viewers_part
      where viewers_part.project_id = ${expression.ref(projectColumn)} and viewers_part.user_id = ${userId}) end`;
}

/**
 * SQL that yields the viewer's role in the project of `projectColumn`, null for a stranger. `user` and `admin` are the
 * placeholders of the viewer's id and administrator flag. The alias inside must not be one of the statement around it.
 */
export function roleSql(projectColumn: string, user: string, admin: string): string {
  return `case when ${admin} then 'owner' else
    (select viewers_part.role from project_member viewers_part
      where viewers_part.project_id = ${projectColumn} and viewers_part.user_id = ${user}) end`;
}

/** SQL condition: the project of `projectColumn` is the viewer's to see. */
export function visibleSql(projectColumn: string, user: string, admin: string): string {
  return `(${admin} or exists (select 1 from project_member viewers_part
    where viewers_part.project_id = ${projectColumn} and viewers_part.user_id = ${user}))`;
}
