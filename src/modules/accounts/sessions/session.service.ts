import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../platform/crypto/crypto.js';
import { timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { RateLimitedError, UnauthenticatedError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import type { AccountTables } from '../account-tables.js';
import { recordAuditEvent } from '../audit.js';
import { AddressLimit } from '../users/address-limit.js';
import { normalizeEmail } from '../users/email-address.js';
import type { HashingQueue } from '../users/hashing-queue.js';
import { LoginThrottle } from '../users/login-throttle.js';
import { verifyPassword } from '../users/password.js';
import { toLoginViewer, type Viewer } from '../viewer.js';
import type { AccessTokens } from './access-token.js';
import type { Session } from './session.type.js';
import { takeSignInLink } from './sign-in-links.js';

export const REFRESH_DAYS = 30;
/** Limits the work for a sent text of any length. Issued refresh tokens have 43 characters. */
const MAX_HASHED_CHARACTERS = 256;

/** The maximum number of expired sessions that one login deletes. */
const CLEANUP_BATCH = 100;
const SESSION_END = expression<Date>`now() + make_interval(days => ${REFRESH_DAYS})`;

/** Where a login comes from. */
export interface LoginClient {
  address?: string | undefined;
  userAgent?: string | undefined;
}

/** Maximum stored characters of the header `User-Agent`. */
const MAX_USER_AGENT = 512;

/** A session and its user. */
interface SessionOwner {
  sessionId: string;
  userId: number;
}

/**
 * Manages sessions: logins with a password or a link, refresh and logout. A session has an access token for
 * requests and a refresh token for new credentials.
 */
export class SessionService {
  readonly #throttle: LoginThrottle;

  readonly #logins: AddressLimit;

  /** @param loginsPerMinute login attempts per minute from one client network; 0: unlimited */
  constructor(
    private readonly database: Database,
    private readonly tokens: AccessTokens,
    private readonly hashing: HashingQueue,
    loginsPerMinute = 0,
  ) {
    this.#logins = new AddressLimit(loginsPerMinute);
    this.#throttle = new LoginThrottle(database);
  }

  /**
   * Counts an attempt to log in.
   *
   * @throws RateLimitedError beyond the limit of the client network
   */
  countAttempt({ address }: LoginClient): void {
    const seconds = this.#logins.count(address);
    if (seconds > 0) throw new RateLimitedError(seconds, 'Too many attempts to log in from this address.');
  }

  /** Logs in. A wrong password and an unknown email produce the same response in the same time. */
  async create(email: string, password: string, client: LoginClient = {}): Promise<Session> {
    const { address } = client;
    this.countAttempt(client);
    const normalizedEmail = normalizeEmail(email);
    assertStorable({ email: normalizedEmail, password });
    const hashingClient = await this.#throttle.countAttempt(normalizedEmail, address);
    const user = await queryBuilder<AccountTables>(this.database)
      .selectFrom('app_user')
      .select(['id', 'password_hash as hash'])
      .where('email', '=', normalizedEmail)
      .where('disabled_at', 'is', null)
      .executeTakeFirst();
    const isRight = await verifyPassword(this.hashing, password, user?.hash ?? null, hashingClient);
    if (!user || !isRight) throw new UnauthenticatedError('The email or the password is wrong.');
    await this.#throttle.recordSuccess(normalizedEmail, address);
    await deleteExpired(this.database);
    return this.database.transaction(sql => this.open(sql, user.id, client));
  }

  /** Logs in by the token of a sign-in link. A token is accepted once. */
  async createFromLink(token: string, client: LoginClient = {}): Promise<Session> {
    this.countAttempt(client);
    const session = await this.database.transaction(async sql => {
      const link = await takeSignInLink(sql, token);
      if (!link) return null;
      const viewer = toLoginViewer(link.userId, client.address);
      await recordAuditEvent(sql, viewer, { action: 'sign-in-link.use', object: { type: 'user', id: link.userId } });
      return this.open(sql, link.userId, client);
    });
    if (!session) throw new UnauthenticatedError('The sign-in link is invalid, expired or already used.');
    return session;
  }

  /**
   * Exchanges a refresh token for new credentials. A second use ends the session, because a stolen token cannot
   * be distinguished from the original. This also applies to two concurrent requests with the same token.
   */
  async refresh(refresh: string): Promise<Session> {
    const hash = hashOf(refresh);
    const session = await this.database.transaction(async sql => {
      const token = await spendToken(sql, hash);
      if (token) return this.#renew(sql, token);
      const reusedToken = await endSessionOfSpentToken(sql, hash);
      if (reusedToken) await recordTokenReuse(sql, reusedToken);
      return null;
    });
    if (!session)
      throw new UnauthenticatedError('The refresh token is invalid, expired or already used. Log in again.');
    return session;
  }

  /**
   * Issues an access token for a refresh token without spending it, and extends the session. Only for the token in the
   * cookie of the console (ADR 0044): a page that is reloaded or open twice sends the same token several times. Returns
   * null if the token is invalid.
   */
  async renewAccess(refresh: string): Promise<string | null> {
    const tables = queryBuilder<AccountTables>(this.database);
    const token = await findToken(this.database, hashOf(refresh));
    if (!token) return null;
    await tables
      .updateTable('refresh_token')
      .set({ expires_at: SESSION_END })
      .where('hash', '=', hashOf(refresh))
      .execute();
    await tables
      .updateTable('user_session')
      .set({ expires_at: SESSION_END, last_used_at: NOW })
      .where('id', '=', token.sessionId)
      .execute();
    return this.tokens.issue(token);
  }

  /** Logs out: every token of the session is refused from now on. Has no effect for an invalid token. */
  async end(refresh: string): Promise<boolean> {
    await endSession(this.database, hashOf(refresh)).execute();
    return true;
  }

  /** Returns the viewer of an access token. Null if the token is invalid or its session has ended. */
  async identify(token: string): Promise<Viewer | null> {
    const claims = await this.tokens.read(token);
    if (!claims) return null;
    const row = await queryBuilder<AccountTables>(this.database)
      .selectFrom('user_session as s')
      .innerJoin('app_user as u', 'u.id', 's.user_id')
      .select(['u.is_admin as isAdmin', expression<boolean>`u.service_limit_usd is not null`.as('isSpendingLimited')])
      .where('s.id', '=', claims.sessionId)
      .where('s.user_id', '=', claims.userId)
      .where('s.ended_at', 'is', null)
      .where('u.disabled_at', 'is', null)
      .executeTakeFirst();
    return row ? { ...claims, ...row, via: 'jwt' } : null;
  }

  /** Opens a session of a user who has proved their identity. Call it in a transaction. */
  async open(sql: Sql, userId: number, { address, userAgent }: LoginClient): Promise<Session> {
    const sessionId = timeOrderedUuid();
    await queryBuilder<AccountTables>(sql)
      .insertInto('user_session')
      .values({
        ...{ id: sessionId, user_id: userId, expires_at: SESSION_END, last_used_at: NOW, address: address ?? null },
        user_agent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      })
      .execute();
    return this.#issue(sql, { sessionId, userId });
  }

  async #renew(sql: Sql, token: SessionOwner): Promise<Session> {
    const tables = queryBuilder<AccountTables>(sql);
    await tables
      .deleteFrom('refresh_token')
      .where('session_id', '=', token.sessionId)
      .where('expires_at', '<', NOW)
      .execute();
    await tables
      .updateTable('user_session')
      .set({ expires_at: SESSION_END, last_used_at: NOW })
      .where('id', '=', token.sessionId)
      .execute();
    return this.#issue(sql, token);
  }

  async #issue(sql: Sql, { sessionId, userId }: SessionOwner): Promise<Session> {
    const refresh = randomBytes(32).toString('base64url');
    await queryBuilder<AccountTables>(sql)
      .insertInto('refresh_token')
      .columns(['hash', 'session_id', 'expires_at'])
      .expression(({ selectFrom, val }) =>
        selectFrom('user_session')
          .select([val(sha256(refresh)).as('hash'), 'id', 'expires_at'])
          .where('id', '=', sessionId),
      )
      .execute();
    return { access: await this.tokens.issue({ userId, sessionId }), refresh };
  }
}

/** Ends every session of a user except `exceptId`. */
export async function endSessionsOf(sql: Sql, userId: number, exceptId?: string): Promise<void> {
  await queryBuilder<AccountTables>(sql)
    .updateTable('user_session')
    .set({ ended_at: NOW })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .$if(exceptId !== undefined, query => query.where('id', '<>', exceptId!))
    .execute();
}

async function deleteExpired(sql: Sql): Promise<void> {
  await queryBuilder<AccountTables>(sql)
    .deleteFrom('user_session')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('user_session')
        .select('id')
        .where('expires_at', '<', NOW)
        .limit(CLEANUP_BATCH)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}

/**
 * Marks a refresh token as used. Only one of several concurrent requests succeeds; the row lock makes the
 * others wait.
 */
function spendToken(sql: Sql, hash: Buffer): Promise<SessionOwner | undefined> {
  return queryBuilder<AccountTables>(sql)
    .updateTable('refresh_token as t')
    .from('user_session as s')
    .set({ spent_at: NOW })
    .where('t.hash', '=', hash)
    .where('t.spent_at', 'is', null)
    .where('t.expires_at', '>', NOW)
    .whereRef('s.id', '=', 't.session_id')
    .where('s.ended_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('app_user as u')
          .select('u.id')
          .whereRef('u.id', '=', 's.user_id')
          .where('u.disabled_at', 'is', null),
      ),
    )
    .returning(['s.id as sessionId', 's.user_id as userId'])
    .executeTakeFirst();
}

/** Finds the session of a refresh token that is valid, not spent and whose user is active. */
function findToken(sql: Sql, hash: Buffer): Promise<SessionOwner | undefined> {
  return queryBuilder<AccountTables>(sql)
    .selectFrom('refresh_token as t')
    .innerJoin('user_session as s', 's.id', 't.session_id')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .select(['s.id as sessionId', 's.user_id as userId'])
    .where('t.hash', '=', hash)
    .where('t.spent_at', 'is', null)
    .where('t.expires_at', '>', NOW)
    .where('s.ended_at', 'is', null)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst();
}

/** Ends the session of a token that is used for the second time. */
function endSessionOfSpentToken(sql: Sql, hash: Buffer): Promise<SessionOwner | undefined> {
  return endSession(sql, hash).where('t.spent_at', 'is not', null).executeTakeFirst();
}

function endSession(sql: Sql, hash: Buffer) {
  return queryBuilder<AccountTables>(sql)
    .updateTable('user_session as s')
    .from('refresh_token as t')
    .set({ ended_at: NOW })
    .where('t.hash', '=', hash)
    .whereRef('s.id', '=', 't.session_id')
    .where('s.ended_at', 'is', null)
    .returning(['s.id as sessionId', 's.user_id as userId']);
}

async function recordTokenReuse(sql: Sql, { sessionId, userId }: SessionOwner): Promise<void> {
  const object = { type: 'session', id: sessionId };
  await recordAuditEvent(sql, toLoginViewer(userId), { action: 'session.reuse', object });
}

function hashOf(refresh: string): Buffer {
  return sha256(refresh.slice(0, MAX_HASHED_CHARACTERS));
}

/** Rejects texts that the database cannot store, such as texts with a NUL character. */
function assertStorable(texts: Record<string, string>): void {
  const faults = new Faults();
  for (const [name, value] of Object.entries(texts)) faults.text(name, value, { min: 1, max: 4_096 });
  faults.throwIfAny();
}
