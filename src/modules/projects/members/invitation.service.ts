import { z } from 'zod';
import type { Database, Sql } from '../../../platform/database/database.js';
import { ConflictError, InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import { type Page, type PageArgs, window } from '../../../platform/lists/page.js';
import { recordDeed } from '../../accounts/audit.js';
import { normalized } from '../../accounts/users/user.service.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../access.js';
import type { Action, GivenRole, ProjectRole } from '../rights.js';
import type { ProjectInvitation, ProjectMemberOffer } from './invitation.js';
import { checkGivenRole, lockMembers, type MemberRow, type MemberService } from './member.service.js';

const EXPIRY_DAYS = 14;
const MAX_PENDING_OF_PROJECT = 100;
/** Over all projects, so that nobody fills other people's lists from projects made for it. */
const MAX_PENDING_OF_INVITER = 1_000;

const COLUMNS = `i.id, i.project_id as "projectId", p.name as "projectName", i.email, i.role,
  (select email from app_user where id = i.invited_by_id) as "invitedBy", i.created_at as "createdAt", i.expires_at as "expiresAt"`;
const PENDING = 'project_invitation i join project p on p.id = i.project_id where i.expires_at > now()';
const OF_PROJECT = 'i.project_id = $1';
const OF_VIEWER = 'i.email = (select email from app_user where id = $1)';

const UPSERT = `
  insert into project_invitation as i (project_id, email, role, invited_by_id, expires_at)
  values ($1, $2, $3, nullif($4, 0), now() + make_interval(days => ${EXPIRY_DAYS}))
  on conflict (project_id, email) do update set role = excluded.role, invited_by_id = excluded.invited_by_id,
    created_at = now(), expires_at = excluded.expires_at
  returning id`;

/**
 * Invitations to projects. An invitation holds an email and no user. The statements that create one are the same, and
 * have the same answer, whether the email has an account or not.
 */
export class InvitationService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly members: MemberService,
  ) {}

  /** The pending invitations of a project, oldest first. */
  async ofProject(viewer: Viewer, projectId: number, page: PageArgs): Promise<Page<ProjectInvitation>> {
    await this.access.authorize(viewer, projectId, 'invitation.read');
    return this.#page(OF_PROJECT, projectId, page);
  }

  /** The pending invitations of the viewer's email, oldest first. */
  received(viewer: Viewer, page: PageArgs): Promise<Page<ProjectInvitation>> {
    return this.#page(OF_VIEWER, viewer.userId, page);
  }

  /**
   * Invites an email. An email that is invited already keeps its invitation, with the new role and a new term.
   *
   * @throws InvalidInputError for an email that is none, that of a member (whom the caller can see in the list of members
   *   anyway), and the role owner
   * @throws ConflictError when the project or the caller has too many pending invitations
   */
  create(viewer: Viewer, projectId: number, email: string, role: ProjectRole): Promise<ProjectInvitation> {
    return this.#invite(viewer, 'invitation.create', projectId, email, role);
  }

  /** Offers membership: invites, or adds at once when the caller administrates the service. */
  async offer(viewer: Viewer, projectId: number, email: string, role: ProjectRole): Promise<ProjectMemberOffer> {
    if (viewer.isAdmin) {
      const member = await this.members.add(viewer, projectId, email, role);
      return { ...member, role: member.role as GivenRole, isPending: false };
    }
    const { id, ...invitation } = await this.#invite(viewer, 'member.add', projectId, email, role);
    return { id, userId: null, email: invitation.email, role: invitation.role, isPending: true };
  }

  /** Takes a pending invitation of the project back; answers what it was. */
  async revoke(viewer: Viewer, id: number, projectId: number): Promise<ProjectInvitation> {
    await this.access.authorize(viewer, projectId, 'invitation.revoke');
    return this.database.transaction(async sql => {
      const invitation = await take(sql, `${OF_PROJECT} and i.id = $2`, [projectId, id]);
      await recordInvitation(sql, viewer, 'invitation.revoke', invitation);
      return invitation;
    });
  }

  /** Makes the viewer a member of the project that invites them. One who has become a member since keeps that role. */
  async accept(viewer: Viewer, id: number): Promise<MemberRow> {
    const [located] = await this.database.query<{ projectId: number }>(
      `select i.project_id as "projectId" from ${PENDING} and ${OF_VIEWER} and i.id = $2`,
      [viewer.userId, id],
    );
    if (!located) throw new NotFoundError();
    return this.database.transaction(async sql => {
      await lockMembers(sql, located.projectId);
      const invitation = await take(sql, `${OF_VIEWER} and i.id = $2`, [viewer.userId, id]);
      await sql.query(
        `insert into project_member (project_id, user_id, role) values ($1, $2, $3)
         on conflict (user_id, project_id) do nothing`,
        [invitation.projectId, viewer.userId, invitation.role],
      );
      await recordInvitation(sql, viewer, 'invitation.accept', invitation);
      return this.members.memberOf(sql, invitation.projectId, viewer.userId);
    });
  }

  /** Declines an invitation of the viewer's email; answers what it was. */
  async decline(viewer: Viewer, id: number): Promise<ProjectInvitation> {
    return this.database.transaction(async sql => {
      const invitation = await take(sql, `${OF_VIEWER} and i.id = $2`, [viewer.userId, id]);
      await recordInvitation(sql, viewer, 'invitation.decline', invitation);
      return invitation;
    });
  }

  async #page(condition: string, value: number, page: PageArgs): Promise<Page<ProjectInvitation>> {
    const { limit, offset } = window(page);
    const [items, [count]] = await Promise.all([
      this.database.query<ProjectInvitation>(
        `select ${COLUMNS} from ${PENDING} and ${condition} order by i.id limit $2 offset $3`,
        [value, limit, offset],
      ),
      this.database.query<{ total: number }>(`select count(*)::int as total from ${PENDING} and ${condition}`, [value]),
    ]);
    return { ...page, total: count!.total, items };
  }

  async #invite(
    viewer: Viewer,
    action: Action,
    projectId: number,
    given: string,
    role: ProjectRole,
  ): Promise<ProjectInvitation> {
    await this.access.authorize(viewer, projectId, action);
    checkGivenRole(role);
    const email = checkedEmail(given);
    return this.database.transaction(async sql => {
      await lockMembers(sql, projectId);
      await this.access.authorize(viewer, projectId, action, sql);
      await checkNoMember(sql, projectId, email);
      await checkLimits(sql, viewer, projectId, email);
      const [row] = await sql.query<{ id: number }>(UPSERT, [projectId, email, role, viewer.userId]);
      const [invitation] = await sql.query<ProjectInvitation>(`select ${COLUMNS} from ${PENDING} and i.id = $1`, [
        row!.id,
      ]);
      await recordInvitation(sql, viewer, 'invitation.create', invitation!);
      return invitation!;
    });
  }
}

/** Deletes one pending invitation and returns it; of several that take it at once, one does. */
async function take(sql: Sql, condition: string, values: unknown[]): Promise<ProjectInvitation> {
  const [invitation] = await sql.query<ProjectInvitation>(
    `select ${COLUMNS} from ${PENDING} and ${condition} for update of i`,
    values,
  );
  if (!invitation) throw new NotFoundError();
  await sql.query('delete from project_invitation where id = $1', [invitation.id]);
  return invitation;
}

function checkedEmail(given: string): string {
  const faults = new Faults();
  faults.text('email', given, { min: 1, max: 254 });
  faults.throwIfAny();
  const email = normalized(given);
  if (!z.email().safeParse(email).success) throw new InvalidInputError({ email: ['Enter a valid email address.'] });
  return email;
}

async function checkNoMember(sql: Sql, projectId: number, email: string): Promise<void> {
  const [member] = await sql.query(
    'select 1 from project_member m join app_user u on u.id = m.user_id where m.project_id = $1 and u.email = $2',
    [projectId, email],
  );
  if (member) throw new InvalidInputError({ email: ['This user is a member of the project already.'] });
}

async function checkLimits(sql: Sql, viewer: Viewer, projectId: number, email: string): Promise<void> {
  const [pending] = await sql.query<{ ofProject: number; ofInviter: number }>(
    `select (select count(*)::int from project_invitation
              where project_id = $1 and email <> $2 and expires_at > now()) as "ofProject",
            (select count(*)::int from project_invitation
              where invited_by_id = $3 and (project_id, email) <> ($1, $2) and expires_at > now()) as "ofInviter"`,
    [projectId, email, viewer.userId],
  );
  if (pending!.ofProject >= MAX_PENDING_OF_PROJECT)
    throw new ConflictError(`A project has at most ${MAX_PENDING_OF_PROJECT} pending invitations: revoke one first.`);
  if (pending!.ofInviter >= MAX_PENDING_OF_INVITER)
    throw new ConflictError(`A user has at most ${MAX_PENDING_OF_INVITER} pending invitations: revoke one first.`);
}

async function recordInvitation(
  sql: Sql,
  viewer: Viewer,
  action: string,
  { id, projectId, email, role }: ProjectInvitation,
): Promise<void> {
  await recordDeed(sql, viewer, { action, object: { type: 'invitation', id }, projectId, detail: { email, role } });
}
