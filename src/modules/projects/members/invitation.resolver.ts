import { Arg, Args, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { GivenRole } from '../rights.js';
import { ProjectInvitation, ProjectInvitationPage, ProjectMemberOffer } from './invitation.js';
import type { InvitationService } from './invitation.service.js';
import { ProjectMember, RoleName } from './project-member.js';

const ID = { description: 'The invitation.' };
const PROJECT = { description: 'The project.' };
const EMAIL = { description: 'An email address of at most 254 characters, in any case, with or without an account.' };
const ROLE = { description: 'Any but OWNER: ownership is given by `projectOwnershipTransfer`.' };

@Resolver(() => ProjectInvitation)
export class InvitationResolver {
  constructor(private readonly invitations: InvitationService) {}

  @Query(() => ProjectInvitationPage, {
    name: 'projectInvitations',
    description: 'The pending invitations of a project, oldest first. Needs the role admin.',
  })
  ofProject(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, PROJECT) projectId: number,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.invitations.ofProject(viewer, projectId, page);
  }

  @Query(() => ProjectInvitationPage, {
    name: 'projectInvitationsReceived',
    description: 'The pending invitations of the caller’s email, oldest first.',
  })
  received(@Ctx() { viewer }: RequestContext, @Args(() => PageArguments) page: PageArguments) {
    return this.invitations.received(viewer, page);
  }

  @Mutation(() => ProjectInvitation, {
    name: 'projectInvitationCreate',
    description:
      'Invites an email to a project; its user becomes a member by accepting. The answer does not depend on whether the email has an account. Inviting again renews the invitation. CONFLICT beyond 100 pending invitations of the project. Needs the role admin.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, PROJECT) projectId: number,
    @Arg('email', () => String, EMAIL) email: string,
    @Arg('role', () => RoleName, ROLE) role: GivenRole,
  ) {
    return this.invitations.create(viewer, projectId, email, role);
  }

  @Mutation(() => ProjectInvitation, {
    name: 'projectInvitationRevoke',
    description: 'Takes a pending invitation back, and answers what it was. Needs the role admin.',
  })
  revoke(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('projectId', () => Int, PROJECT) projectId: number,
  ) {
    return this.invitations.revoke(viewer, id, projectId);
  }

  @Mutation(() => ProjectMember, {
    name: 'projectInvitationAccept',
    description:
      'Makes the caller a member of the project that invited the caller’s email, and answers that member. NOT_FOUND for invitations of others and for those that have ended.',
  })
  accept(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.invitations.accept(viewer, id);
  }

  @Mutation(() => ProjectInvitation, {
    name: 'projectInvitationDecline',
    description: 'Declines an invitation of the caller’s email, and answers what it was. NOT_FOUND as for accepting.',
  })
  decline(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.invitations.decline(viewer, id);
  }

  @Mutation(() => ProjectMemberOffer, {
    name: 'projectMemberOffer',
    description:
      'Offers membership: an invitation as by `projectInvitationCreate`, or for administrators of the service a member at once as by `projectMemberAdd`. Needs the role admin.',
  })
  offer(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, PROJECT) projectId: number,
    @Arg('email', () => String, EMAIL) email: string,
    @Arg('role', () => RoleName, ROLE) role: GivenRole,
  ) {
    return this.invitations.offer(viewer, projectId, email, role);
  }
}
