import { randomBytes } from 'node:crypto';
import { newApiKey, sha256 } from '../../../platform/crypto/crypto.js';
import type { Database } from '../../../platform/database/database.js';
import { NotFoundError } from '../../../platform/errors/errors.js';
import { ADVISORY_LOCKS } from '../../../platform/sql/advisory-locks.js';
import { ApiKeyService } from '../api-keys/api-key.service.js';
import { hashPassword } from '../users/password.js';
import type { UserCreateInput } from '../users/user.inputs.js';
import type { User } from '../users/user.js';
import { normalized, UserService } from '../users/user.service.js';
import { OPERATOR, type Viewer } from '../viewer.js';

/** What the first start made up and tells the operator once; null where the operator gave it. */
export interface FirstAdministrator {
  email: string;
  password: string | null;
  apiKey: string | null;
}

const DEFAULT_ADMIN_EMAIL = 'admin@scenarium.local';

/** Who credentials stand for, and what the operator does with users and keys. */
export class AccountService {
  readonly users: UserService;
  readonly keys: ApiKeyService;

  constructor(private readonly database: Database) {
    this.users = new UserService(database);
    this.keys = new ApiKeyService(database);
  }

  /** Whether there is such a key, whatever it opens. */
  async hasKey(key: string): Promise<boolean> {
    const rows = await this.database.query('select 1 from api_key where hash = $1', [sha256(key)]);
    return rows.length > 0;
  }

  /** The viewer whom an external issuer vouches for; null when nobody here has the email. */
  async identifyEmail(email: string): Promise<Viewer | null> {
    const [row] = await this.database.query<{ userId: number; isAdmin: boolean; isSpendingLimited: boolean }>(
      `select id as "userId", is_admin as "isAdmin", service_limit_usd is not null as "isSpendingLimited"
         from app_user where email = $1 and disabled_at is null`,
      [email],
    );
    return row ? { ...row, via: 'jwt' } : null;
  }

  /** A user that the operator creates; may use the API unless told otherwise. */
  createUser(input: UserCreateInput): Promise<User> {
    return this.users.create(OPERATOR, { isApiAllowed: true, ...input });
  }

  /** A new key of the user with this email. Its text is in the answer and nowhere else. */
  async createKey(email: string, name: string, key = newApiKey()): Promise<string> {
    const { id } = await this.findUser(email);
    await this.keys.create(OPERATOR, { name, userId: id }, key);
    return key;
  }

  /** The user with this email, in any case. */
  async findUser(email: string): Promise<{ id: number }> {
    const [user] = await this.database.query<{ id: number }>('select id from app_user where email = $1', [
      normalized(email),
    ]);
    if (!user) throw new NotFoundError();
    return user;
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
      await sql.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.firstAdministrator]);
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
