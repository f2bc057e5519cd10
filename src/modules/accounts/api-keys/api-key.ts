import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import type { NonColumn } from '../../../platform/database/typed-queries.js';
import { DateTime } from '../../../platform/json/scalars.js';
import { User } from '../users/user.js';

/** The database stores only the SHA-256 hash and the first six characters of the key. */
@ObjectType({ description: 'An API key: a credential of a user, sent in the header `X-Api-Key`.' })
@Entity({ tableName: 'api_key' })
export class ApiKey {
  @Field(() => Int, { description: 'The id of the key. Unique.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => User, { ref: true, deleteRule: 'cascade', index: true })
  user!: Ref<User>;

  /** The column `user_id`, which queries select under this name. */
  userId!: NonColumn<number>;

  @Field(() => String, { description: 'The name that the user gave the key.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { description: 'The first six characters of the key.' })
  @Property({ type: 'text' })
  prefix!: string;

  @Property({ type: 'blob', unique: true })
  hash!: Buffer;

  @Field(() => Int, {
    nullable: true,
    description:
      'Requests per minute; 0 means unlimited. Null: the default of the service. Only administrators can change it.',
  })
  @Property({ type: 'integer', nullable: true })
  rateLimit: number | null = null;

  /**
   * The cost of all chat completions of the key, in US dollars. The statement that inserts the ledger rows
   * updates it.
   */
  @Property({ type: 'decimal', columnType: 'numeric' })
  spentUsd: string & Opt = '0';

  /** The spending limit in US dollars. Null: no limit. */
  @Property({ type: 'decimal', columnType: 'numeric', nullable: true })
  budgetUsd: (string & Opt) | null = null;

  /** The sum of the reservations of the key: the maximum cost of calls in progress, in US dollars. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  reservedUsd: string & Opt = '0';

  @Field(() => DateTime, { description: 'When the key was created.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the key was last used, accurate to one minute. Null: never.',
  })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', nullable: true })
  lastUsedAt: Date | null = null;

  @Field(() => DateTime, { nullable: true, description: 'When the key expires. Null: never.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', nullable: true })
  expiresAt: Date | null = null;

  @Field(() => String, {
    nullable: true,
    description:
      'The key itself, for the header `X-Api-Key`. Only the response of `apiKeyCreate` contains it; null otherwise.',
  })
  key?: NonColumn<string> | null;
}
