import { z } from 'zod';
import type { Database, Sql } from '../../../platform/database/database.js';
import { expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import { ConflictError, InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import { type Page, type PageArgs, toLimitOffset } from '../../../platform/lists/page.js';
import { ADVISORY_LOCKS } from '../../../platform/sql/advisory-locks.js';
import { takeTransactionLock } from '../../../platform/sql/transaction-lock.js';
import type { AccountTables } from '../../accounts/account-tables.js';
import { recordAuditEvent } from '../../accounts/audit.js';
import { normalizeEmail } from '../../accounts/users/email-address.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../access.js';
import type { ProjectTables } from '../project-tables.js';
import type { Action, AssignableRole, ProjectRole } from '../rights.js';
import type { ProjectInvitation, ProjectMemberOffer } from './invitation.js';
import { assertAssignableRole, lockMembers, type MemberService } from './member.service.js';
import type { MemberRow } from './project-member.js';

const EXPIRY_DAYS = 14;
const MAX_PENDING_OF_PROJECT = 100;
/** Counted over all projects, so that a user cannot flood others with invitations by creating projects. */
const MAX_PENDING_OF_INVITER = 1_000;

type Tables = ProjectTables & AccountTables;

/**
 * Manages invitations to projects. An invitation refers to an email, not to a user. Creating one uses the same
 * statements and returns the same response whether or not the email has an account.
 */
export class InvitationService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly members: MemberService,
  ) {}

  /** The pending invitations of a project, oldest first by their creation or last renewal. */
  async listOfProject(viewer: Viewer, projectId: number, page: PageArgs): Promise<Page<ProjectInvitation>> {
    await this.access.authorize(viewer, projectId, 'invitation.read');
    return pageOfPending(pendingOfProject(this.database, projectId), page);
  }

  /** The pending invitations of the viewer's email, in the same order. */
  listReceived(viewer: Viewer, page: PageArgs): Promise<Page<ProjectInvitation>> {
    return pageOfPending(pendingOfViewer(this.database, viewer), page);
  }

  /**
   * Invites an email. An existing invitation keeps its id. It gets the new role, the time of its renewal and a new
   * expiry.
   *
   * @throws InvalidInputError for an invalid email, the email of a member (which is visible to the caller in
   * the list of members) and the role owner
   * @throws ConflictError if the project or the caller has too many pending invitations
   */
  create(viewer: Viewer, projectId: number, email: string, role: ProjectRole): Promise<ProjectInvitation> {
    return this.#invite(viewer, 'invitation.create', projectId, email, role);
  }

  /**
   * Offers membership: adds the member if the caller is an administrator of the service, otherwise creates an
   * invitation.
   */
  async offer(viewer: Viewer, projectId: number, email: string, role: ProjectRole): Promise<ProjectMemberOffer> {
    if (viewer.isAdmin) {
      const member = await this.members.add(viewer, projectId, email, role);
      return { ...member, role: member.role as AssignableRole, isPending: false };
    }
    const { id, ...invitation } = await this.#invite(viewer, 'member.add', projectId, email, role);
    return { id, userId: null, email: invitation.email, role: invitation.role, isPending: true };
  }

  /** Revokes a pending invitation of the project and returns its last state. */
  async revoke(viewer: Viewer, id: number, projectId: number): Promise<ProjectInvitation> {
    await this.access.authorize(viewer, projectId, 'invitation.revoke');
    return this.database.transaction(async sql => {
      const invitation = await takeInvitation(sql, pendingOfProject(sql, projectId), id);
      await recordInvitation(sql, viewer, 'invitation.revoke', invitation);
      return invitation;
    });
  }

  /** Accepts an invitation of the viewer. A viewer who is already a member keeps the current role. */
  async accept(viewer: Viewer, id: number): Promise<MemberRow> {
    const located = await pendingOfViewer(this.database, viewer)
      .select('i.project_id as projectId')
      .where('i.id', '=', id)
      .executeTakeFirst();
    if (!located) throw new NotFoundError();
    return this.database.transaction(async sql => {
      await lockMembers(sql, located.projectId);
      const invitation = await takeInvitation(sql, pendingOfViewer(sql, viewer), id);
      await queryBuilder<Tables>(sql)
        .insertInto('project_member')
        .values({ project_id: invitation.projectId, user_id: viewer.userId, role: invitation.role })
        .onConflict(conflict => conflict.columns(['user_id', 'project_id']).doNothing())
        .execute();
      await recordInvitation(sql, viewer, 'invitation.accept', invitation);
      return this.members.getMember(sql, invitation.projectId, viewer.userId);
    });
  }

  /** Declines an invitation for the email of the viewer and returns its last state. */
  async decline(viewer: Viewer, id: number): Promise<ProjectInvitation> {
    return this.database.transaction(async sql => {
      const invitation = await takeInvitation(sql, pendingOfViewer(sql, viewer), id);
      await recordInvitation(sql, viewer, 'invitation.decline', invitation);
      return invitation;
    });
  }

  async #invite(
    viewer: Viewer,
    action: Action,
    projectId: number,
    emailInput: string,
    role: ProjectRole,
  ): Promise<ProjectInvitation> {
    await this.access.authorize(viewer, projectId, action);
    assertAssignableRole(role);
    const email = parseEmail(emailInput);
    return this.database.transaction(async sql => {
      await lockMembers(sql, projectId);
      await this.access.authorize(viewer, projectId, action, sql);
      await assertNotMember(sql, projectId, email);
      await assertBelowLimits(sql, viewer, projectId, email);
      const id = await upsertInvitation(sql, viewer, { projectId, email, role });
      const invitation = await selectInvitations(pendingInvitations(sql))
        .where('i.id', '=', id)
        .executeTakeFirstOrThrow();
      await recordInvitation(sql, viewer, 'invitation.create', invitation);
      return invitation;
    });
  }
}

/** Deletes one pending invitation and returns it. Only one of several concurrent calls succeeds. */
async function takeInvitation(sql: Sql, invitations: PendingQuery, id: number): Promise<ProjectInvitation> {
  const invitation = await selectInvitations(invitations).where('i.id', '=', id).forUpdate('i').executeTakeFirst();
  if (!invitation) throw new NotFoundError();
  await queryBuilder<Tables>(sql).deleteFrom('project_invitation').where('id', '=', invitation.id).execute();
  return invitation;
}

type PendingQuery = ReturnType<typeof pendingInvitations>;

function pendingInvitations(sql: Sql) {
  return queryBuilder<Tables>(sql)
    .selectFrom('project_invitation as i')
    .innerJoin('project as p', 'p.id', 'i.project_id')
    .where('i.expires_at', '>', expression<Date>`now()`);
}

function pendingOfProject(sql: Sql, projectId: number): PendingQuery {
  return pendingInvitations(sql).where('i.project_id', '=', projectId);
}

function pendingOfViewer(sql: Sql, { userId }: Viewer): PendingQuery {
  return pendingInvitations(sql).where('i.email', '=', ({ selectFrom }) =>
    selectFrom('app_user').select('email').where('app_user.id', '=', userId),
  );
}

function selectInvitations(invitations: PendingQuery) {
  return invitations
    .select(['i.id', 'i.project_id as projectId', 'p.name as projectName', 'i.email', 'i.role'])
    .select(['i.created_at as createdAt', 'i.expires_at as expiresAt'])
    .select(({ selectFrom }) =>
      selectFrom('app_user').select('email').whereRef('app_user.id', '=', 'i.invited_by_id').as('invitedBy'),
    );
}

async function pageOfPending(invitations: PendingQuery, page: PageArgs): Promise<Page<ProjectInvitation>> {
  const { limit, offset } = toLimitOffset(page);
  const [items, { total }] = await Promise.all([
    selectInvitations(invitations).orderBy('i.created_at').orderBy('i.id').limit(limit).offset(offset).execute(),
    invitations.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { ...page, total, items };
}

/** Inserts or renews the invitation of an email for 14 days and returns its id. */
async function upsertInvitation(
  sql: Sql,
  viewer: Viewer,
  { projectId, email, role }: { projectId: number; email: string; role: AssignableRole },
): Promise<number> {
  const terms = {
    role,
    // The operator has the id 0 and is not a user.
    invited_by_id: viewer.userId || null,
    expires_at: expression<Date>`now() + make_interval(days => ${expression.lit(EXPIRY_DAYS)})`,
  };
  const { id } = await queryBuilder<Tables>(sql)
    .insertInto('project_invitation')
    .values({ project_id: projectId, email, ...terms })
    .onConflict(conflict =>
      conflict.columns(['project_id', 'email']).doUpdateSet({ ...terms, created_at: expression<Date>`now()` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

function parseEmail(emailInput: string): string {
  const faults = new Faults();
  faults.text('email', emailInput, { min: 1, max: 254 });
  faults.throwIfAny();
  const email = normalizeEmail(emailInput);
  if (!z.email().safeParse(email).success) throw new InvalidInputError({ email: ['Enter a valid email address.'] });
  return email;
}

async function assertNotMember(sql: Sql, projectId: number, email: string): Promise<void> {
  const member = await queryBuilder<Tables>(sql)
    .selectFrom('project_member as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select('m.id')
    .where('m.project_id', '=', projectId)
    .where('u.email', '=', email)
    .executeTakeFirst();
  if (member) throw new InvalidInputError({ email: ['This user is already a member of the project.'] });
}

/** The caller holds the lock on the members of the project. */
async function assertBelowLimits(sql: Sql, viewer: Viewer, projectId: number, email: string): Promise<void> {
  await takeTransactionLock(sql, ADVISORY_LOCKS.pendingInvitations, viewer.userId);
  const pendingCounts = await queryBuilder<Tables>(sql)
    .selectNoFrom(({ selectFrom }) => {
      const others = selectFrom('project_invitation')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('expires_at', '>', expression<Date>`now()`);
      return [
        others.where('project_id', '=', projectId).where('email', '<>', email).as('ofProject'),
        others
          .where('invited_by_id', '=', viewer.userId)
          .where(({ or, eb }) => or([eb('project_id', '<>', projectId), eb('email', '<>', email)]))
          .as('ofInviter'),
      ];
    })
    .executeTakeFirstOrThrow();
  if (pendingCounts.ofProject! >= MAX_PENDING_OF_PROJECT)
    throw new ConflictError(`A project has at most ${MAX_PENDING_OF_PROJECT} pending invitations: revoke one first.`);
  if (pendingCounts.ofInviter! >= MAX_PENDING_OF_INVITER)
    throw new ConflictError(`A user has at most ${MAX_PENDING_OF_INVITER} pending invitations: revoke one first.`);
}

async function recordInvitation(
  sql: Sql,
  viewer: Viewer,
  action: string,
  { id, projectId, email, role }: ProjectInvitation,
): Promise<void> {
  await recordAuditEvent(sql, viewer, {
    action,
    object: { type: 'invitation', id },
    projectId,
    detail: { email, role },
  });
}
