import type { Database, Sql } from '../../../platform/database/database.js';
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import { type NestedList, type NestedPage, nestedPage } from '../../../platform/lists/nested-page.js';
import { type Page, type PageArgs, window } from '../../../platform/lists/page.js';
import { ADVISORY_LOCKS } from '../../../platform/sql/advisory-locks.js';
import { recordDeed } from '../../accounts/audit.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { demandAdministrator, normalized } from '../../accounts/users/user.service.js';
import type { Viewer } from '../../accounts/viewer.js';
import { judge, type ProjectAccess, roleSql } from '../access.js';
import { type Action, mayDo, type ProjectRole } from '../rights.js';
import type { ProjectMember } from './project-member.js';

const MEMBER_COLUMNS =
  'm.id, m.project_id as "projectId", m.user_id as "userId", u.email, u.name, m.role, m.created_at as "createdAt"';
const MEMBERS_WITH_USERS = 'project_member m join app_user u on u.id = m.user_id';
const MEMBERS = `select ${MEMBER_COLUMNS} from ${MEMBERS_WITH_USERS}`;

const OF_PROJECT: NestedList<MemberRow> = {
  name: 'project.members',
  parent: 'int',
  columns: MEMBER_COLUMNS,
  from: `${MEMBERS_WITH_USERS} where m.project_id = parent.id`,
  order: 'm.id',
};

/** A member as the statements of this file read it. */
export type MemberRow = Pick<ProjectMember, 'id' | 'userId' | 'email' | 'name' | 'role' | 'createdAt'> & {
  projectId: number;
};

/** Who belongs to a project. Changes of one project's members take turns: each sees what the one before has left. */
export class MemberService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {}

  /** The members of a project in the order in which they came. */
  async list(viewer: Viewer, projectId: number, page: PageArgs): Promise<Page<MemberRow>> {
    await this.access.authorize(viewer, projectId, 'project.read');
    const { limit, offset } = window(page);
    const [items, [count]] = await Promise.all([
      this.database.query<MemberRow>(`${MEMBERS} where m.project_id = $1 order by m.id limit $2 offset $3`, [
        projectId,
        limit,
        offset,
      ]),
      this.database.query<{ total: number }>(
        'select count(*)::int as total from project_member where project_id = $1',
        [projectId],
      ),
    ]);
    return { ...page, total: count!.total, items };
  }

  /** A page of the members of a project that the caller is known to see. */
  pageOf(context: RequestContext, projectId: number, page: PageArgs): NestedPage<MemberRow> {
    return nestedPage(context, this.database, OF_PROJECT, projectId, page);
  }

  /** The member that a user is in a project. */
  async memberOf(sql: Sql, projectId: number, userId: number): Promise<MemberRow> {
    const [row] = await sql.query<MemberRow>(`${MEMBERS} where m.project_id = $1 and m.user_id = $2`, [
      projectId,
      userId,
    ]);
    if (!row) throw new NotFoundError();
    return row;
  }

  /** Adds a user without asking them, which administrators of the service may; others invite. */
  async add(viewer: Viewer, projectId: number, given: string, role: ProjectRole): Promise<MemberRow> {
    demandAdministrator(viewer);
    return this.#change(viewer, projectId, 'member.add', async sql => {
      checkGivenRole(role);
      const email = normalized(given);
      const userId = await userOf(sql, email);
      const [row] = await sql.query<{ id: number }>(
        `insert into project_member (project_id, user_id, role) values ($1, $2, $3)
         on conflict (user_id, project_id) do nothing returning id`,
        [projectId, userId, role],
      );
      if (!row) throw new InvalidInputError({ email: ['This user is a member of the project already.'] });
      await sql.query('delete from project_invitation where project_id = $1 and email = $2', [projectId, email]);
      await recordMember(sql, viewer, 'member.add', { id: row.id, projectId }, { userId, role });
      return row.id;
    });
  }

  /** `projectId`, when given, must be the member's. */
  async update(viewer: Viewer, id: number, role: ProjectRole, projectId: number | null): Promise<MemberRow> {
    const located = await this.#locate(this.database, viewer, id, projectId, 'member.update');
    return this.#change(viewer, located.projectId, 'member.update', async sql => {
      const member = await this.#locate(sql, viewer, id, projectId, 'member.update');
      checkGivenRole(role);
      guardOwner(member);
      await sql.query('update project_member set role = $2 where id = $1', [id, role]);
      const detail = { userId: member.userId, from: member.role, to: role };
      await recordMember(sql, viewer, 'member.update', member, detail);
      return id;
    });
  }

  /** Removes a member, and answers what it was. Everybody but the owner may leave. */
  async remove(viewer: Viewer, id: number, projectId: number | null): Promise<MemberRow> {
    const located = await this.#locate(this.database, viewer, id, projectId, 'project.read');
    const removed = await this.database.transaction(async sql => {
      await lockMembers(sql, located.projectId);
      const member = await this.#locate(sql, viewer, id, projectId, 'project.read');
      if (member.userId !== viewer.userId) judge(member.viewerRole, 'member.remove');
      guardOwner(member);
      const [row] = await sql.query<MemberRow>(`${MEMBERS} where m.id = $1`, [id]);
      await sql.query('delete from project_member where id = $1', [id]);
      await recordMember(sql, viewer, 'member.remove', member, { userId: member.userId, role: member.role });
      return row!;
    });
    return removed;
  }

  /** Makes another member the owner; the one before stays as an admin. */
  async transfer(viewer: Viewer, projectId: number, userId: number): Promise<MemberRow> {
    return this.#change(viewer, projectId, 'project.transfer', async sql => {
      const [heir] = await sql.query<{ id: number; role: ProjectRole }>(
        'select id, role from project_member where project_id = $1 and user_id = $2',
        [projectId, userId],
      );
      if (!heir) throw new InvalidInputError({ userId: ['This user is no member of the project.'] });
      if (heir.role === 'owner') return heir.id;
      const [former] = await sql.query<{ userId: number }>(
        `update project_member set role = 'admin' where project_id = $1 and role = 'owner' returning user_id as "userId"`,
        [projectId],
      );
      await sql.query(`update project_member set role = 'owner' where id = $1`, [heir.id]);
      await recordDeed(sql, viewer, {
        action: 'project.transfer',
        object: { type: 'project', id: projectId },
        projectId,
        detail: { from: former?.userId ?? null, to: userId },
      });
      return heir.id;
    });
  }

  /** Runs a change as the only one of its project, by a viewer who may do it then. Answers the member that it names. */
  async #change(
    viewer: Viewer,
    projectId: number,
    action: Action,
    work: (sql: Sql) => Promise<number>,
  ): Promise<MemberRow> {
    await this.access.authorize(viewer, projectId, action);
    return this.database.transaction(async sql => {
      await lockMembers(sql, projectId);
      await this.access.authorize(viewer, projectId, action, sql);
      const id = await work(sql);
      const [row] = await sql.query<MemberRow>(`${MEMBERS} where m.id = $1`, [id]);
      return row!;
    });
  }

  /** The one statement by which a member's id is checked. */
  async #locate(
    sql: Sql,
    viewer: Viewer,
    id: number,
    projectId: number | null,
    action: Action,
  ): Promise<LocatedMember> {
    const [row] = await sql.query<LocatedMember>(
      `select m.id, m.project_id as "projectId", m.user_id as "userId", m.role,
              ${roleSql('m.project_id', '$2', '$3')} as "viewerRole"
         from project_member m where m.id = $1 and ($4::int is null or m.project_id = $4)`,
      [id, viewer.userId, viewer.isAdmin, projectId],
    );
    judge(row?.viewerRole ?? null, action);
    return row!;
  }
}

interface LocatedMember {
  id: number;
  projectId: number;
  userId: number;
  role: ProjectRole;
  viewerRole: ProjectRole | null;
}

/** The project's row is held too: it would otherwise be deleted, members and all, between a look and a change. */
export async function lockMembers(sql: Sql, projectId: number): Promise<void> {
  await sql.query('select pg_advisory_xact_lock($1, $2)', [ADVISORY_LOCKS.members, projectId]);
  await sql.query('select id from project where id = $1 for key share', [projectId]);
}

export function checkGivenRole(role: ProjectRole): void {
  if (role === 'owner') throw new InvalidInputError({ role: ['Ownership is given by its transfer alone.'] });
}

/** Nobody touches the owner's part: an admin may not, and the owner hands it on first. */
function guardOwner({ role, viewerRole }: LocatedMember): void {
  if (role !== 'owner') return;
  if (!viewerRole || !mayDo(viewerRole, 'project.transfer')) throw new ForbiddenError();
  throw new ConflictError('A project has one owner: transfer the ownership first.');
}

async function userOf(sql: Sql, email: string): Promise<number> {
  const faults = new Faults();
  faults.text('email', email, { min: 1, max: 254 });
  faults.throwIfAny();
  const [user] = await sql.query<{ id: number }>('select id from app_user where email = $1 for key share', [email]);
  if (!user) throw new InvalidInputError({ email: ['No user has this email.'] });
  return user.id;
}

async function recordMember(
  sql: Sql,
  viewer: Viewer,
  action: Action,
  { id, projectId }: { id: number; projectId: number },
  detail: Record<string, unknown>,
): Promise<void> {
  await recordDeed(sql, viewer, { action, object: { type: 'member', id }, projectId, detail });
}
