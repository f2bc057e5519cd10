import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType } from 'type-graphql';
import type { NotStored } from '../../../platform/database/typed-queries.js';
import { DateTime } from '../../../platform/json/scalars.js';
import { User } from '../users/user.js';

/** Of the key's text only its SHA-256 and its first characters are kept. */
@ObjectType({ description: 'A credential of a user.' })
@Entity({ tableName: 'api_key' })
export class ApiKey {
  @Field(() => Int, { description: 'Unique.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => User, { ref: true, deleteRule: 'cascade', index: true })
  user!: Ref<User>;

  /** Read along with the row. */
  userId!: NotStored<number>;

  @Field(() => String, { description: 'What the user calls it.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { description: 'The first six characters of the key.' })
  @Property({ type: 'text' })
  prefix!: string;

  @Property({ type: 'blob', unique: true })
  hash!: Buffer;

  @Field(() => Int, {
    nullable: true,
    description: 'Requests a minute; null: the default of the service; 0: unlimited. Set by administrators.',
  })
  @Property({ type: 'integer', nullable: true })
  rateLimit: number | null = null;

  /** Sum of what its chat completions cost, moved by the statement that writes them on the ledger. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  spentUsd: string & Opt = '0';

  /** The spending limit; null: none. */
  @Property({ type: 'decimal', columnType: 'numeric', nullable: true })
  budgetUsd: (string & Opt) | null = null;

  /** Sum of the key's reservations: what calls under way may cost at most. */
  @Property({ type: 'decimal', columnType: 'numeric' })
  reservedUsd: string & Opt = '0';

  @Field(() => DateTime, { description: 'When the key was created.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();

  @Field(() => DateTime, { nullable: true, description: 'When the key was last used, to the minute; null: never.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', nullable: true })
  lastUsedAt: Date | null = null;

  @Field(() => DateTime, { nullable: true, description: 'When the key ends to open anything; null: never.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', nullable: true })
  expiresAt: Date | null = null;

  @Field(() => String, {
    nullable: true,
    description: 'The key itself, for `X-Api-Key`: in the answer to its creation, null everywhere else.',
  })
  key?: NotStored<string> | null;
}
