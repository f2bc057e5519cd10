import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/json/scalars.js';
import { pageOf } from '../../../platform/lists/page.type.js';
import type { AssignableRole } from '../rights.js';
import { RoleName } from './project-member.js';

@ObjectType({
  description:
    'A pending offer of membership for an email address. It ends when it is accepted, declined or revoked, and expires after 14 days.',
})
export class ProjectInvitation {
  @Field(() => Int, { description: 'The id of the invitation. Unique.' })
  id!: number;

  @Field(() => Int, { description: 'The id of the project.' })
  projectId!: number;

  @Field(() => String, { description: 'The name of the project.' })
  projectName!: string;

  @Field(() => String, { description: 'The invited email address, in lower case. It may not have an account yet.' })
  email!: string;

  @Field(() => RoleName, { description: 'The role of the member after acceptance.' })
  role!: AssignableRole;

  @Field(() => String, {
    nullable: true,
    description: 'The email of the user who created the invitation. Null if unknown.',
  })
  invitedBy!: string | null;

  @Field(() => DateTime, { description: 'When the invitation was created or last renewed.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When the invitation expires.' })
  expiresAt!: Date;
}

@ObjectType({ description: 'One page of invitations.' })
export class ProjectInvitationPage extends pageOf(ProjectInvitation) {}

@ObjectType({
  description:
    'The result of an offer of membership: an invitation, or a member if an administrator of the service made the offer.',
})
export class ProjectMemberOffer {
  @Field(() => Int, {
    name: 'subjectId',
    description: 'The id of the invitation, or of the member (not the user) if `isPending` is false.',
  })
  id!: number;

  @Field(() => Int, { nullable: true, description: 'The id of the user. Null while the offer is pending.' })
  userId!: number | null;

  @Field(() => String, { description: 'The email address, in lower case.' })
  email!: string;

  @Field(() => RoleName, { description: 'The offered role.' })
  role!: AssignableRole;

  @Field(() => Boolean, { description: 'Whether the invitation must still be accepted.' })
  isPending!: boolean;
}
