import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A person. Emails are stored in lower case. */
@Entity({ tableName: 'app_user' })
export class User {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Property({ type: 'text', unique: true })
  email!: string;

  @Property({ type: 'text' })
  name: string & Opt = '';

  /** argon2id in PHC form; null: this user cannot log in by password. */
  @Property({ type: 'text', nullable: true })
  passwordHash: string | null = null;

  @Property({ type: 'boolean' })
  isAdmin: boolean & Opt = false;

  /** Granted by administrators; without it a user creates no API keys. */
  @Property({ type: 'boolean' })
  isApiAllowed: boolean & Opt = false;

  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();
}
