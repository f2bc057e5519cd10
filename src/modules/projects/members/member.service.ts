import type { Database, Sql } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import { type NestedPage, type NestedRows, nestedRows } from '../../../platform/lists/nested-rows.js';
import { type Page, type PageArgs, toLimitOffset } from '../../../platform/lists/page.js';
import { ADVISORY_LOCKS } from '../../../platform/sql/advisory-locks.js';
import { takeTransactionLock } from '../../../platform/sql/transaction-lock.js';
import type { AccountTables } from '../../accounts/account-tables.js';
import { recordAuditEvent } from '../../accounts/audit.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { normalizeEmail } from '../../accounts/users/email-address.js';
import { assertAdministrator } from '../../accounts/users/user.service.js';
import type { Viewer } from '../../accounts/viewer.js';
import { assertAllowed, type ProjectAccess, viewersRole } from '../access.js';
import type { ProjectTables } from '../project-tables.js';
import { type Action, type AssignableRole, isAllowed, type ProjectRole } from '../rights.js';
import type { MemberRow } from './project-member.js';

type Tables = ProjectTables & AccountTables;

const MEMBERS_OF_PROJECT: NestedRows<number, MemberRow> = {
  name: 'project.members',
  parent: 'int',
  isPrepared: true,
  rows: (sql, projectId) => selectMembers(sql).where('m.project_id', '=', projectId).orderBy('m.id'),
};

/** Manages the members of projects. Changes to the members of one project are serialized by a lock. */
export class MemberService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {}

  /** Lists the members of a project in the order in which they joined. */
  async list(viewer: Viewer, projectId: number, page: PageArgs): Promise<Page<MemberRow>> {
    await this.access.authorize(viewer, projectId, 'project.read');
    const { limit, offset } = toLimitOffset(page);
    const [items, { total }] = await Promise.all([
      selectMembers(this.database)
        .where('m.project_id', '=', projectId)
        .orderBy('m.id')
        .limit(limit)
        .offset(offset)
        .execute(),
      queryBuilder<Tables>(this.database)
        .selectFrom('project_member')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow(),
    ]);
    return { ...page, total, items };
  }

  /** Returns a page of the members of a project that the caller may read. */
  pageOf(context: RequestContext, projectId: number, page: PageArgs): NestedPage<MemberRow> {
    return nestedRows(context, this.database, MEMBERS_OF_PROJECT, projectId, page);
  }

  /** Returns the membership of a user in a project. @throws NotFoundError if the user is not a member */
  async getMember(sql: Sql, projectId: number, userId: number): Promise<MemberRow> {
    const row = await selectMembers(sql)
      .where('m.project_id', '=', projectId)
      .where('m.user_id', '=', userId)
      .executeTakeFirst();
    if (!row) throw new NotFoundError();
    return row;
  }

  /** Adds a user without an invitation. Requires an administrator of the service. */
  async add(viewer: Viewer, projectId: number, emailInput: string, role: ProjectRole): Promise<MemberRow> {
    assertAdministrator(viewer);
    return this.#change(viewer, projectId, 'member.add', async sql => {
      assertAssignableRole(role);
      const email = normalizeEmail(emailInput);
      const userId = await findUserId(sql, email);
      const row = await queryBuilder<Tables>(sql)
        .insertInto('project_member')
        .values({ project_id: projectId, user_id: userId, role })
        .onConflict(conflict => conflict.columns(['user_id', 'project_id']).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!row) throw new InvalidInputError({ email: ['This user is already a member of the project.'] });
      await queryBuilder<Tables>(sql)
        .deleteFrom('project_invitation')
        .where('project_id', '=', projectId)
        .where('email', '=', email)
        .execute();
      await recordMember(sql, viewer, 'member.add', { id: row.id, projectId }, { userId, role });
      return row.id;
    });
  }

  /** Changes the role of a member. The member must belong to `projectId` unless it is null. */
  async update(viewer: Viewer, id: number, role: ProjectRole, projectId: number | null): Promise<MemberRow> {
    const located = await this.#locate(this.database, viewer, id, projectId, 'member.update');
    return this.#change(viewer, located.projectId, 'member.update', async sql => {
      const member = await this.#locate(sql, viewer, id, projectId, 'member.update');
      assertAssignableRole(role);
      assertNotOwner(member);
      await setRole(sql, id, role);
      const detail = { userId: member.userId, from: member.role, to: role };
      await recordMember(sql, viewer, 'member.update', member, detail);
      return id;
    });
  }

  /** Removes a member and returns the last state. Every member except the owner may remove themselves. */
  async remove(viewer: Viewer, id: number, projectId: number | null): Promise<MemberRow> {
    const located = await this.#locate(this.database, viewer, id, projectId, 'project.read');
    return this.database.transaction(async sql => {
      await lockMembers(sql, located.projectId);
      const member = await this.#locate(sql, viewer, id, projectId, 'project.read');
      if (member.userId !== viewer.userId) assertAllowed(member.viewerRole, 'member.remove');
      assertNotOwner(member);
      const row = await memberById(sql, id);
      await queryBuilder<Tables>(sql).deleteFrom('project_member').where('id', '=', id).execute();
      await recordMember(sql, viewer, 'member.remove', member, { userId: member.userId, role: member.role });
      return row;
    });
  }

  /** Makes another member the owner. The previous owner becomes an admin. */
  async transfer(viewer: Viewer, projectId: number, userId: number): Promise<MemberRow> {
    return this.#change(viewer, projectId, 'project.transfer', async sql => {
      const newOwner = await queryBuilder<Tables>(sql)
        .selectFrom('project_member')
        .select(['id', 'role'])
        .where('project_id', '=', projectId)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      if (!newOwner) throw new InvalidInputError({ userId: ['This user is not a member of the project.'] });
      if (newOwner.role === 'owner') return newOwner.id;
      const previousOwner = await queryBuilder<Tables>(sql)
        .updateTable('project_member')
        .set({ role: 'admin' })
        .where('project_id', '=', projectId)
        .where('role', '=', 'owner')
        .returning('user_id as userId')
        .executeTakeFirst();
      await setRole(sql, newOwner.id, 'owner');
      await recordAuditEvent(sql, viewer, {
        action: 'project.transfer',
        object: { type: 'project', id: projectId },
        projectId,
        detail: { from: previousOwner?.userId ?? null, to: userId },
      });
      return newOwner.id;
    });
  }

  /**
   * Runs `work` under the lock of the members and checks the right again inside it. Returns the member whose id
   * `work` returns.
   */
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
      return memberById(sql, await work(sql));
    });
  }

  /** Finds a member and asserts that the viewer may perform `action` in its project. */
  async #locate(
    sql: Sql,
    viewer: Viewer,
    id: number,
    projectId: number | null,
    action: Action,
  ): Promise<LocatedMember> {
    const row = await queryBuilder<Tables>(sql)
      .selectFrom('project_member as m')
      .select(['m.id', 'm.project_id as projectId', 'm.user_id as userId', 'm.role'])
      .select(viewersRole(viewer, 'm.project_id').as('viewerRole'))
      .where('m.id', '=', id)
      .$if(projectId !== null, query => query.where('m.project_id', '=', projectId))
      .executeTakeFirst();
    assertAllowed(row?.viewerRole ?? null, action);
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

function selectMembers(sql: Sql) {
  return queryBuilder<Tables>(sql)
    .selectFrom('project_member as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select(['m.id', 'm.project_id as projectId', 'm.user_id as userId', 'u.email', 'u.name', 'm.role'])
    .select('m.created_at as createdAt');
}

function memberById(sql: Sql, id: number): Promise<MemberRow> {
  return selectMembers(sql).where('m.id', '=', id).executeTakeFirstOrThrow();
}

async function setRole(sql: Sql, id: number, role: ProjectRole): Promise<void> {
  await queryBuilder<Tables>(sql).updateTable('project_member').set({ role }).where('id', '=', id).execute();
}

/**
 * Locks the members of a project until the end of the transaction. The row of the project is locked as well, so
 * that it cannot be deleted meanwhile.
 */
export async function lockMembers(sql: Sql, projectId: number): Promise<void> {
  await takeTransactionLock(sql, ADVISORY_LOCKS.members, projectId);
  await queryBuilder<Tables>(sql)
    .selectFrom('project')
    .select('id')
    .where('id', '=', projectId)
    .forKeyShare()
    .execute();
}

/** @throws InvalidInputError for the role owner, which is only transferred */
export function assertAssignableRole(role: ProjectRole): asserts role is AssignableRole {
  if (role === 'owner')
    throw new InvalidInputError({ role: ['This role cannot be assigned. Transfer the ownership instead.'] });
}

/** Throws if the member is the owner, who cannot be changed or removed before the ownership is transferred. */
function assertNotOwner({ role, viewerRole }: LocatedMember): void {
  if (role !== 'owner') return;
  if (!viewerRole || !isAllowed(viewerRole, 'project.transfer')) throw new ForbiddenError();
  throw new ConflictError('A project has one owner: transfer the ownership first.');
}

async function findUserId(sql: Sql, email: string): Promise<number> {
  const faults = new Faults();
  faults.text('email', email, { min: 1, max: 254 });
  faults.throwIfAny();
  const user = await queryBuilder<Tables>(sql)
    .selectFrom('app_user')
    .select('id')
    .where('email', '=', email)
    .forKeyShare()
    .executeTakeFirst();
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
  await recordAuditEvent(sql, viewer, { action, object: { type: 'member', id }, projectId, detail });
}
