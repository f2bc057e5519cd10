import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/json/scalars.js';
import { pageOf } from '../../../platform/lists/page.type.js';
import type { GivenRole } from '../rights.js';
import { RoleName } from './project-member.js';

@ObjectType({
  description:
    'An offer of membership that waits for the person with the email. It ends when it is accepted, declined, revoked or 14 days old.',
})
export class ProjectInvitation {
  @Field(() => Int, { description: 'Unique.' })
  id!: number;

  @Field(() => Int, { description: 'The project.' })
  projectId!: number;

  @Field(() => String, { description: 'The name of the project.' })
  projectName!: string;

  @Field(() => String, { description: 'The email that is invited, in lower case. It need not have an account yet.' })
  email!: string;

  @Field(() => RoleName, { description: 'The role of the member-to-be.' })
  role!: GivenRole;

  @Field(() => String, { nullable: true, description: 'The email of the user who invites; null when it is unknown.' })
  invitedBy!: string | null;

  @Field(() => DateTime, { description: 'When the invitation was made, or last repeated.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When it ends by itself.' })
  expiresAt!: Date;
}

@ObjectType({ description: 'One page of invitations.' })
export class ProjectInvitationPage extends pageOf(ProjectInvitation) {}

@ObjectType({
  description:
    'What became of an offer of membership: an invitation, or a member when an administrator of the service made it.',
})
export class ProjectMemberOffer {
  @Field(() => Int, { description: 'The invitation; the member (not the user) when `isPending` is false.' })
  id!: number;

  @Field(() => Int, { nullable: true, description: 'The user; null while the offer is pending.' })
  userId!: number | null;

  @Field(() => String, { description: 'The email, in lower case.' })
  email!: string;

  @Field(() => RoleName, { description: 'The role.' })
  role!: GivenRole;

  @Field(() => Boolean, { description: 'Whether the person still has to accept.' })
  isPending!: boolean;
}
