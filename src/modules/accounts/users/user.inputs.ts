import { Field, InputType, ObjectType } from 'type-graphql';
import { pageOf } from '../../../platform/lists/page.type.js';
import { User } from './user.js';

@InputType({ description: 'A new user.' })
export class UserCreateInput {
  @Field(() => String, { description: 'An email address of at most 254 characters, in any case; nobody else’s.' })
  email!: string;

  @Field(() => String, {
    nullable: true,
    description: '8-1,024 characters. Null or absent: no login by password, an external issuer vouches for the user.',
  })
  password?: string | null;

  @Field(() => String, { nullable: true, description: 'At most 255 characters. Default: empty.' })
  name?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the user administrates the service. Default: false.' })
  isAdmin?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the user may have API keys. Default: false.' })
  isApiAllowed?: boolean | null;
}

@InputType({ description: 'Changes to a user; what is left out stays.' })
export class UserUpdateInput implements Partial<UserCreateInput> {
  @Field(() => String, { nullable: true, description: 'An email address of at most 254 characters, nobody else’s.' })
  email?: string;

  @Field(() => String, {
    nullable: true,
    description: '8-1,024 characters; null: no login by password any more. Either ends the sessions of the user.',
  })
  password?: string | null;

  @Field(() => String, { nullable: true, description: 'At most 255 characters.' })
  name?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the user administrates the service. One administrator always remains.',
  })
  isAdmin?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the user may have API keys; false silences those there are at once.',
  })
  isApiAllowed?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the user is kept out: keys and logins open nothing, sessions end. Runs go on. False lets the user log in again. One administrator always remains.',
  })
  isDisabled?: boolean | null;
}

@InputType({ description: 'Which users to list. All that is given must hold.' })
export class UserFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Part of the email address or of the name, in any case; `%` and `_` are literal.',
  })
  search?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Administrators, or all others.' })
  isAdmin?: boolean | null;
}

@ObjectType({ description: 'One page of users.' })
export class UserPage extends pageOf(User) {}
