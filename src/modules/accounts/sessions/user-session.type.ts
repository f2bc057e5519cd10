import { Field, ObjectType } from 'type-graphql';
import { DateTime, UUID } from '../../../platform/json/scalars.js';

@ObjectType({ description: 'An active session: a login of a user.' })
export class UserSession {
  @Field(() => UUID, { description: 'Unique id of the session.' })
  id!: string;

  @Field(() => DateTime, { description: 'Time of the login.' })
  createdAt!: Date;

  @Field(() => DateTime, {
    description: 'Last time at which the session was renewed, at most 15 minutes before its last use.',
  })
  lastUsedAt!: Date;

  @Field(() => DateTime, { description: 'When the session expires unless it is used before.' })
  expiresAt!: Date;

  @Field(() => String, { nullable: true, description: 'IP address of the client at the login. Null if unknown.' })
  address!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Header `User-Agent` of the login, at most 512 characters. Null if unknown.',
  })
  userAgent!: string | null;

  @Field(() => Boolean, { description: 'Whether this session sends the request.' })
  isCurrent!: boolean;
}
