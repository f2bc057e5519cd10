import { randomBytes } from 'node:crypto';
import { newApiKey, sha256 } from '../../platform/crypto/crypto.js';
import type { Database } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import { ADVISORY_LOCKS } from '../../platform/sql/advisory-locks.js';
import { takeTransactionLock } from '../../platform/sql/transaction-lock.js';
import type { AccountTables } from './account-tables.js';
import { ApiKeyService } from './api-keys/api-key.service.js';
import { issueResetLink, issueSignInLink } from './sessions/sign-in-links.js';
import { normalizeEmail } from './users/email-address.js';
import { hashPassword } from './users/password.js';
import type { UserCreateInput } from './users/user.inputs.js';
import type { User } from './users/user.js';
import { UserService } from './users/user.service.js';
import { OPERATOR, type Viewer } from './viewer.js';

/**
 * The generated credentials of the first start, which are shown to the operator once. Null: the operator
 * supplied the value.
 */
export interface FirstAdministrator {
  email: string;
  password: string | null;
  apiKey: string | null;
  /** The token of a link that logs the administrator in once (`signInAddress`). */
  signInToken: string;
}

const DEFAULT_ADMIN_EMAIL = 'admin@scenarium.local';

/** Identifies users and keys, and creates users, keys and links for the operator, who has no session. */
export class AccountService {
  readonly users: UserService;
  readonly keys: ApiKeyService;

  constructor(private readonly database: Database) {
    this.users = new UserService(database);
    this.keys = new ApiKeyService(database);
  }

  /** Reports whether the key exists, even if it is expired or its user is disabled. */
  async hasKey(key: string): Promise<boolean> {
    const row = await queryBuilder<AccountTables>(this.database)
      .selectFrom('api_key')
      .select('id')
      .where('hash', '=', sha256(key))
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Returns the viewer for the email of an external token. Null if no active user has this email. */
  async identifyEmail(email: string): Promise<Viewer | null> {
    const row = await queryBuilder<AccountTables>(this.database)
      .selectFrom('app_user')
      .select(({ eb }) => [
        ...(['id as userId', 'is_admin as isAdmin'] as const),
        eb('service_limit_usd', 'is not', null).$castTo<boolean>().as('isSpendingLimited'),
      ])
      .where('email', '=', email)
      .where('disabled_at', 'is', null)
      .executeTakeFirst();
    return row ? { ...row, via: 'jwt' } : null;
  }

  /** Creates a user for the operator. The user may use the API unless `isApiAllowed` is false. */
  createUser(input: UserCreateInput): Promise<User> {
    return this.users.create(OPERATOR, { isApiAllowed: true, ...input });
  }

  /** Creates an API key for the user with this email and returns the key itself, which is not stored. */
  async createKey(email: string, name: string, key = newApiKey()): Promise<string> {
    const { id } = await this.findUser(email);
    await this.keys.create(OPERATOR, { name, userId: id }, key);
    return key;
  }

  /** Returns the token of a link that logs the user in once (`signInAddress`). */
  async createSignInLink(email: string): Promise<string> {
    const { id } = await this.findUser(email);
    return this.database.transaction(sql => issueSignInLink(sql, id));
  }

  /** Returns the token of a link by which the user sets a new password once (`resetPath`). */
  async createResetLink(email: string): Promise<string> {
    const { id } = await this.findUser(email);
    const { token } = await this.database.transaction(sql => issueResetLink(sql, OPERATOR, id));
    return token;
  }

  /** Finds the user with this email; upper and lower case are equal. */
  async findUser(email: string): Promise<{ id: number }> {
    const user = await queryBuilder<AccountTables>(this.database)
      .selectFrom('app_user')
      .select('id')
      .where('email', '=', normalizeEmail(email))
      .executeTakeFirst();
    if (!user) throw new NotFoundError();
    return user;
  }

  /** Creates the first administrator and API key on an empty database. Returns null if an administrator exists. */
  async ensureFirstAdministrator(credentials: {
    email?: string;
    password?: string;
    apiKey?: string;
  }): Promise<FirstAdministrator | null> {
    return this.database.transaction(async sql => {
      await takeTransactionLock(sql, ADVISORY_LOCKS.firstAdministrator);
      const tables = queryBuilder<AccountTables>(sql);
      const existing = await tables
        .selectFrom('app_user')
        .select('id')
        .where('is_admin', '=', true)
        .limit(1)
        .executeTakeFirst();
      if (existing) return null;
      const email = normalizeEmail(credentials.email ?? DEFAULT_ADMIN_EMAIL);
      const password = credentials.password ?? randomBytes(15).toString('base64url');
      const key = credentials.apiKey ?? newApiKey();
      const rights = { is_admin: true, is_api_allowed: true };
      const { id } = await tables
        .insertInto('app_user')
        .values({ email, name: 'Administrator', password_hash: await hashPassword(password), ...rights })
        .onConflict(conflict => conflict.column('email').doUpdateSet(rights))
        .returning('id')
        .executeTakeFirstOrThrow();
      await tables
        .insertInto('api_key')
        .values({ user_id: id, name: 'First key', prefix: key.slice(0, 6), hash: sha256(key) })
        .execute();
      const signInToken = await issueSignInLink(sql, id);
      return {
        ...{ email, signInToken },
        ...{ password: credentials.password ? null : password, apiKey: credentials.apiKey ? null : key },
      };
    });
  }
}
