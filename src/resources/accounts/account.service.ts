import { randomBytes } from 'node:crypto';
import { newApiKey, sha256 } from '../../base/crypto.js';
import type { Database } from '../../base/database.js';
import { ConflictError, NotFoundError } from '../../base/errors.js';
import { ApiKey } from './api-key.js';
import { hashPassword } from './password.js';
import { User } from './user.js';
import type { Viewer } from './viewer.js';

export interface NewUser {
  email: string;
  password?: string;
  name?: string;
  isAdmin?: boolean;
  isApiAllowed?: boolean;
}

/** What the first start made up and tells the operator once; null where the operator gave it. */
export interface FirstAdministrator {
  email: string;
  password: string | null;
  apiKey: string | null;
}

const FIRST_ADMINISTRATOR_LOCK = 7_266_302;
const DEFAULT_ADMIN_EMAIL = 'admin@scenarium.local';

export class AccountService {
  constructor(private readonly database: Database) {}

  /** The viewer behind an API key; null for a key that does not exist or has expired. */
  async identifyKey(key: string): Promise<Viewer | null> {
    const [row] = await this.database.query<{ user_id: number; is_admin: boolean }>(
      `select u.id as user_id, u.is_admin
         from api_key k join app_user u on u.id = k.user_id
        where k.hash = $1 and (k.expires_at is null or k.expires_at > now())`,
      [sha256(key)],
    );
    return row ? { userId: row.user_id, isAdmin: row.is_admin, via: 'key' } : null;
  }

  async createUser(input: NewUser): Promise<User> {
    const em = this.database.orm.em.fork();
    const email = input.email.trim().toLowerCase();
    if (await em.findOne(User, { email })) throw new ConflictError('A user with this email exists.');
    const user = em.create(User, {
      email,
      name: input.name ?? '',
      passwordHash: input.password === undefined ? null : await hashPassword(input.password),
      isAdmin: input.isAdmin ?? false,
      isApiAllowed: input.isApiAllowed ?? true,
    });
    await em.flush();
    return user;
  }

  /** A new key of the user with this email. Its text is in the answer and nowhere else. */
  async createKey(email: string, name: string, key = newApiKey()): Promise<string> {
    const em = this.database.orm.em.fork();
    const user = await em.findOne(User, { email: email.trim().toLowerCase() });
    if (!user) throw new NotFoundError();
    em.create(ApiKey, { user, name, prefix: key.slice(0, 6), hash: sha256(key) });
    await em.flush();
    return key;
  }

  /**
   * The first administrator and key, created by the first process that ever starts on this database; null when there
   * is an administrator already.
   */
  async ensureFirstAdministrator(given: {
    email?: string;
    password?: string;
    apiKey?: string;
  }): Promise<FirstAdministrator | null> {
    return this.database.transaction(async sql => {
      await sql.query('select pg_advisory_xact_lock($1)', [FIRST_ADMINISTRATOR_LOCK]);
      const [existing] = await sql.query('select 1 from app_user where is_admin limit 1');
      if (existing) return null;
      const email = (given.email ?? DEFAULT_ADMIN_EMAIL).toLowerCase();
      const password = given.password ?? randomBytes(15).toString('base64url');
      const key = given.apiKey ?? newApiKey();
      await sql.query(
        `with administrator as (
           insert into app_user (email, name, password_hash, is_admin, is_api_allowed)
           values ($1, 'Administrator', $2, true, true)
           on conflict (email) do update set is_admin = true, is_api_allowed = true
           returning id)
         insert into api_key (user_id, name, prefix, hash) select id, 'First key', $3, $4 from administrator`,
        [email, await hashPassword(password), key.slice(0, 6), sha256(key)],
      );
      return { email, password: given.password ? null : password, apiKey: given.apiKey ? null : key };
    });
  }
}
