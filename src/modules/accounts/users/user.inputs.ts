import { Field, InputType, ObjectType } from 'type-graphql';
import { pageOf } from '../../../platform/lists/page.type.js';
import { User } from './user.js';

@InputType({ description: 'A new user.' })
export class UserCreateInput {
  @Field(() => String, {
    description: 'The email address, at most 254 characters. It is stored in lower case and must be unique.',
  })
  email!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The password, 8-1,024 characters. Null or absent: the user can log in only through an external identity provider.',
  })
  password?: string | null;

  @Field(() => String, { nullable: true, description: 'The display name, at most 255 characters. Default: empty.' })
  name?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the user is an administrator of the service. Default: false.',
  })
  isAdmin?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the user may create and use API keys. Default: false.',
  })
  isApiAllowed?: boolean | null;
}

@InputType({ description: 'Changes to a user. Absent fields keep their values.' })
export class UserUpdateInput implements Partial<UserCreateInput> {
  @Field(() => String, {
    nullable: true,
    description: 'The email address, at most 254 characters. It is stored in lower case and must be unique.',
  })
  email?: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The new password, 8-1,024 characters. Null disables the login with a password. Both end all sessions of the user.',
  })
  password?: string | null;

  @Field(() => String, { nullable: true, description: 'The display name, at most 255 characters.' })
  name?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the user is an administrator of the service. CONFLICT when no administrator would remain.',
  })
  isAdmin?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the user may create and use API keys. With false, requests with existing keys are refused immediately.',
  })
  isApiAllowed?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the user is disabled. With true, all sessions end, and logins and API keys are refused; runs continue. With false, the user can log in again. CONFLICT when no administrator would remain.',
  })
  isDisabled?: boolean | null;
}

@InputType({ description: 'Filters users. All given conditions must match.' })
export class UserFilter {
  @Field(() => String, {
    nullable: true,
    description:
      'A part of the email address or the name, for example `@example.com`. Case-insensitive; `%` and `_` are literal.',
  })
  search?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'True: only administrators. False: only other users.' })
  isAdmin?: boolean | null;
}

@ObjectType({ description: 'One page of users.' })
export class UserPage extends pageOf(User) {}
