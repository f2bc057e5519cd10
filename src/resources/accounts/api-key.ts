import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { User } from './user.js';

/** A credential of a user. Of the key's text only its SHA-256 and its first characters are kept. */
@Entity({ tableName: 'api_key' })
export class ApiKey {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => User, { ref: true, deleteRule: 'cascade' })
  user!: Ref<User>;

  @Property({ type: 'text' })
  name!: string;

  @Property({ type: 'text' })
  prefix!: string;

  @Property({ type: 'blob', unique: true })
  hash!: Buffer;

  /** Requests a minute; null: the service's default; 0: unlimited. */
  @Property({ type: 'integer', nullable: true })
  rateLimit: number | null = null;

  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();

  @Property({ type: 'datetime', columnType: 'timestamptz(3)', nullable: true })
  lastUsedAt: Date | null = null;

  @Property({ type: 'datetime', columnType: 'timestamptz(3)', nullable: true })
  expiresAt: Date | null = null;
}
