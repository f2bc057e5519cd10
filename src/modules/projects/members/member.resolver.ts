import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { Project } from '../project.js';
import type { AssignableRole } from '../rights.js';
import type { MemberService } from './member.service.js';
import { ProjectMember, ProjectMemberPage, RoleName } from './project-member.js';

const ID = { description: 'The id of the member: `ProjectMember.id`, not the id of the user.' };
const PROJECT = { description: 'The id of the project.' };
const OF_PROJECT = {
  nullable: true,
  description: 'If given, the member must belong to this project. Otherwise NOT_FOUND.',
};
const ROLE = { description: 'The role: VIEWER, EDITOR or ADMIN. Use `projectOwnershipTransfer` to change the owner.' };

@Resolver(() => Project)
export class MemberResolver {
  constructor(private readonly members: MemberService) {}

  @Query(() => ProjectMemberPage, {
    name: 'projectMembers',
    description: 'The members of a project in the order in which they joined. Requires the role viewer.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, PROJECT) projectId: number,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.members.list(viewer, projectId, page);
  }

  @PayloadMutation({
    returns: { projectMember: () => ProjectMember },
    name: 'projectMemberAdd',
    description:
      'Adds a user as a member without an invitation. Requires an administrator. Other callers use `projectInvitationCreate`.',
  })
  add(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, PROJECT) projectId: number,
    @Arg('email', () => String, { description: 'The email of an existing user who is not a member yet.' })
    email: string,
    @Arg('role', () => RoleName, ROLE) role: AssignableRole,
  ) {
    return this.members.add(viewer, projectId, email, role);
  }

  @PayloadMutation({
    returns: { projectMember: () => ProjectMember },
    name: 'projectMemberUpdate',
    description: 'Changes the role of a member. The role of the owner cannot be changed. Requires the role admin.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('role', () => RoleName, ROLE) role: AssignableRole,
    @Arg('projectId', () => Int, OF_PROJECT) projectId: number | null,
  ) {
    return this.members.update(viewer, id, role, projectId ?? null);
  }

  @PayloadMutation({
    returns: { projectMember: () => ProjectMember },
    name: 'projectMemberRemove',
    description:
      'Removes a member and returns the last state. Requires the role admin. Every member except the owner may remove themselves.',
  })
  remove(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('projectId', () => Int, OF_PROJECT) projectId: number | null,
  ) {
    return this.members.remove(viewer, id, projectId ?? null);
  }

  @PayloadMutation({
    returns: { projectMember: () => ProjectMember },
    name: 'projectOwnershipTransfer',
    description:
      'Makes another member the owner and returns that member. The previous owner becomes an admin. Requires the role owner.',
  })
  transfer(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, PROJECT) projectId: number,
    @Arg('userId', () => Int, { description: 'The id of the user who becomes the owner. The user must be a member.' })
    userId: number,
  ) {
    return this.members.transfer(viewer, projectId, userId);
  }

  @FieldResolver(() => ProjectMemberPage, {
    name: 'members',
    description: 'The members of the project in the order in which they joined.',
  })
  ofProject(@Ctx() context: RequestContext, @Root() project: Project, @Args(() => PageArguments) page: PageArguments) {
    return this.members.pageOf(context, project.id, page);
  }
}
