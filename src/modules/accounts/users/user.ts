import type { Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/json/scalars.js';

@ObjectType({ description: 'A user account. Visible to administrators and to the user.' })
@Entity({ tableName: 'app_user' })
@Index({
  name: 'app_user_by_age',
  columns: [
    { name: 'createdAt', sort: 'desc' },
    { name: 'id', sort: 'desc' },
  ],
})
@Index({
  name: 'app_user_by_part',
  expression: 'create index app_user_by_part on app_user using gin (email gin_trgm_ops, name gin_trgm_ops)',
})
export class User {
  @Field(() => Int, { description: 'The id of the user. Unique.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Field(() => String, { description: 'The email address for the login, in lower case. Unique.' })
  @Property({ type: 'text', unique: true })
  email!: string;

  @Field(() => String, { description: 'The display name. Empty if unset.' })
  @Property({ type: 'text' })
  name: string & Opt = '';

  /** The argon2id hash in the PHC string format. Null: the user cannot log in with a password. */
  @Property({ type: 'text', nullable: true })
  passwordHash: string | null = null;

  @Field(() => Boolean, {
    description:
      'Whether the user has a password. Users without one sign in at the OpenID Connect issuer or with an API key, and set a password with a link of `passwordResetRequest` or `passwordResetLinkCreate`.',
  })
  @Property({ type: 'boolean', persist: false })
  hasPassword!: boolean & Opt;

  @Field(() => Boolean, {
    description: 'Whether the user is an administrator of the service, with the rights of an owner in every project.',
  })
  @Property({ type: 'boolean' })
  isAdmin: boolean & Opt = false;

  @Field(() => Boolean, {
    description: 'Whether the user may use API keys. With false, none can be created and existing keys are refused.',
  })
  @Property({ type: 'boolean' })
  isApiAllowed: boolean & Opt = false;

  /** When the user was disabled. Null: the user is active. */
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', nullable: true })
  disabledAt: Date | null = null;

  /** When the user was deleted. Null: the user exists. The row of a deleted user remains for references. */
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', nullable: true })
  deletedAt: Date | null = null;

  /**
   * The operator's limit on spending with provider keys of the service, in US dollars. Null: the configured
   * default.
   */
  @Property({ type: 'decimal', columnType: 'numeric', nullable: true })
  serviceLimitUsd: (string & Opt) | null = null;

  /** The amount spent with provider keys of the service, in US dollars. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  serviceSpentUsd: string & Opt = '0';

  /**
   * The maximum cost of calls in progress with provider keys of the service, in US dollars. Counted only if a
   * limit applies.
   */
  @Property({ type: 'decimal', columnType: 'numeric' })
  serviceReservedUsd: string & Opt = '0';

  @Field(() => DateTime, { description: 'When the user was created.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();
}
