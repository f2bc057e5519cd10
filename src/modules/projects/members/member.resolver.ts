import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { Project } from '../project.js';
import type { GivenRole } from '../rights.js';
import { ProjectMemberPage } from './member.inputs.js';
import type { MemberService } from './member.service.js';
import { ProjectMember, RoleName } from './project-member.js';

const ID = { description: 'The member: `ProjectMember.id`.' };
const PROJECT = { description: 'The project.' };
const OF_PROJECT = { nullable: true, description: 'When given, the member must be one of this project.' };
const ROLE = { description: 'Any but OWNER: ownership is given by `projectOwnershipTransfer`.' };

@Resolver(() => Project)
export class MemberResolver {
  constructor(private readonly members: MemberService) {}

  @Query(() => ProjectMemberPage, {
    name: 'projectMembers',
    description: 'The members of a project in the order in which they came.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, PROJECT) projectId: number,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.members.list(viewer, projectId, page);
  }

  @Mutation(() => ProjectMember, {
    name: 'projectMemberAdd',
    description:
      'Adds a user without asking them. For administrators of the service; others invite by `projectInvitationCreate`.',
  })
  add(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, PROJECT) projectId: number,
    @Arg('email', () => String, { description: 'The email of a user who is no member yet.' }) email: string,
    @Arg('role', () => RoleName, ROLE) role: GivenRole,
  ) {
    return this.members.add(viewer, projectId, email, role);
  }

  @Mutation(() => ProjectMember, {
    name: 'projectMemberUpdate',
    description: 'Changes a member’s role. Needs the role admin; the owner’s role is changed by nobody.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('role', () => RoleName, ROLE) role: GivenRole,
    @Arg('projectId', () => Int, OF_PROJECT) projectId: number | null,
  ) {
    return this.members.update(viewer, id, role, projectId ?? null);
  }

  @Mutation(() => ProjectMember, {
    name: 'projectMemberRemove',
    description:
      'Removes a member, and answers what it was. Needs the role admin, or to be that member: everybody but the owner may leave.',
  })
  remove(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('projectId', () => Int, OF_PROJECT) projectId: number | null,
  ) {
    return this.members.remove(viewer, id, projectId ?? null);
  }

  @Mutation(() => ProjectMember, {
    name: 'projectOwnershipTransfer',
    description:
      'Makes another member the owner, and answers that member; the owner before becomes an admin. Needs the role owner.',
  })
  transfer(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, PROJECT) projectId: number,
    @Arg('userId', () => Int, { description: 'The user who becomes the owner; a member.' }) userId: number,
  ) {
    return this.members.transfer(viewer, projectId, userId);
  }

  @FieldResolver(() => ProjectMemberPage, {
    name: 'members',
    description: 'The members in the order in which they came.',
  })
  ofProject(@Ctx() context: RequestContext, @Root() project: Project, @Args(() => PageArguments) page: PageArguments) {
    return this.members.pageOf(context, project.id, page);
  }
}
