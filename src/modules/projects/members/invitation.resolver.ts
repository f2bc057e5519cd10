import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { AssignableRole } from '../rights.js';
import { ProjectInvitation, ProjectInvitationPage, ProjectMemberOffer } from './invitation.js';
import type { InvitationService } from './invitation.service.js';
import { ProjectMember, RoleName } from './project-member.js';

const ID = { description: 'The id of the invitation.' };
const PROJECT = { description: 'The id of the project.' };
const EMAIL = {
  description: 'The email address to invite, at most 254 characters. Case-insensitive. It does not need an account.',
};
const ROLE = {
  description:
    'The role of the new member: VIEWER, EDITOR or ADMIN. Use `projectOwnershipTransfer` to change the owner.',
};

@Resolver(() => ProjectInvitation)
export class InvitationResolver {
  constructor(private readonly invitations: InvitationService) {}

  @Query(() => ProjectInvitationPage, {
    name: 'projectInvitations',
    description: 'The pending invitations of a project, oldest first. Requires the role admin.',
  })
  ofProject(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, PROJECT) projectId: number,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.invitations.listOfProject(viewer, projectId, page);
  }

  @Query(() => ProjectInvitationPage, {
    name: 'projectInvitationsReceived',
    description: 'The pending invitations for the email of the caller, oldest first.',
  })
  received(@Ctx() { viewer }: RequestContext, @Args(() => PageArguments) page: PageArguments) {
    return this.invitations.listReceived(viewer, page);
  }

  @PayloadMutation({
    returns: { projectInvitation: () => ProjectInvitation },
    name: 'projectInvitationCreate',
    description:
      'Invites an email address to a project. The user becomes a member by accepting the invitation within 14 days. The response does not reveal whether the email has an account. A repeated invitation replaces the role and renews the expiry. CONFLICT when the project has 100 pending invitations or the caller has 1,000. Requires the role admin.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, PROJECT) projectId: number,
    @Arg('email', () => String, EMAIL) email: string,
    @Arg('role', () => RoleName, ROLE) role: AssignableRole,
  ) {
    return this.invitations.create(viewer, projectId, email, role);
  }

  @PayloadMutation({
    returns: { projectInvitation: () => ProjectInvitation },
    name: 'projectInvitationRevoke',
    description: 'Revokes a pending invitation and returns its last state. Requires the role admin.',
  })
  revoke(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('projectId', () => Int, PROJECT) projectId: number,
  ) {
    return this.invitations.revoke(viewer, id, projectId);
  }

  @PayloadMutation({
    returns: { projectMember: () => ProjectMember },
    name: 'projectInvitationAccept',
    description:
      'Accepts an invitation for the email of the caller and returns the new member. NOT_FOUND when the invitation is for another email or no longer pending.',
  })
  accept(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.invitations.accept(viewer, id);
  }

  @PayloadMutation({
    returns: { projectInvitation: () => ProjectInvitation },
    name: 'projectInvitationDecline',
    description:
      'Declines an invitation for the email of the caller and returns its last state. NOT_FOUND when the invitation is for another email or no longer pending.',
  })
  decline(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.invitations.decline(viewer, id);
  }

  @PayloadMutation({
    returns: { projectMemberOffer: () => ProjectMemberOffer },
    name: 'projectMemberOffer',
    description:
      'Offers membership. Creates an invitation like `projectInvitationCreate`. If the caller is an administrator of the service, adds the member immediately like `projectMemberAdd`. Requires the role admin.',
  })
  offer(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, PROJECT) projectId: number,
    @Arg('email', () => String, EMAIL) email: string,
    @Arg('role', () => RoleName, ROLE) role: AssignableRole,
  ) {
    return this.invitations.offer(viewer, projectId, email, role);
  }
}
