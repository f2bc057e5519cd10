import type { Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/json/scalars.js';

@ObjectType({ description: 'A person. Seen by administrators, and by the person.' })
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
  @Field(() => Int, { description: 'Unique.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Field(() => String, { description: 'What the user logs in with, in lower case. Unique.' })
  @Property({ type: 'text', unique: true })
  email!: string;

  @Field(() => String, { description: 'What the user is called; empty when unset.' })
  @Property({ type: 'text' })
  name: string & Opt = '';

  /** argon2id in PHC form; null: this user cannot log in by password. */
  @Property({ type: 'text', nullable: true })
  passwordHash: string | null = null;

  @Field(() => Boolean, {
    description: 'Whether the user administrates the service, and may do all that an owner may.',
  })
  @Property({ type: 'boolean' })
  isAdmin: boolean & Opt = false;

  @Field(() => Boolean, {
    description: 'Whether the user may have API keys. Without it none can be made, and those there are open nothing.',
  })
  @Property({ type: 'boolean' })
  isApiAllowed: boolean & Opt = false;

  /** Null: the user may come in. */
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', nullable: true })
  disabledAt: Date | null = null;

  /** Null: the user is there; else only the row is left, for what refers to it. */
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', nullable: true })
  deletedAt: Date | null = null;

  /** The operator's limit on spending with provider keys of the service; null: the configured default. */
  @Property({ type: 'decimal', columnType: 'numeric', nullable: true })
  serviceLimitUsd: (string & Opt) | null = null;

  /** What was spent with them. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  serviceSpentUsd: string & Opt = '0';

  /** What calls under way with them may cost at most, where a limit holds. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  serviceReservedUsd: string & Opt = '0';

  @Field(() => DateTime, { description: 'When the user was created.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();
}
