import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../platform/crypto/crypto.js';
import { timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { RateLimitedError, UnauthenticatedError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import { recordDeed } from '../audit.js';
import { AddressLimit } from '../users/address-limit.js';
import { LoginBrake } from '../users/login-brake.js';
import { verifyPassword } from '../users/password.js';
import type { Viewer } from '../viewer.js';
import type { AccessTokens } from './access-token.js';
import type { Session } from './session.type.js';

const REFRESH_DAYS = 30;
/** Of a refresh token; one that is longer is none of ours. */
const MAX_TOKEN = 256;

const OPEN_SESSION = `
  insert into user_session (id, user_id, expires_at) values ($1, $2, now() + make_interval(days => ${REFRESH_DAYS}))`;

const ADD_TOKEN = `
  insert into refresh_token (hash, session_id, expires_at)
  select $1, id, expires_at from user_session where id = $2`;

/** Of several that send the same token one finds it unspent; the others wait for its commit and find nothing. */
const SPEND_TOKEN = `
  update refresh_token t set spent_at = now() from user_session s
   where t.hash = $1 and t.spent_at is null and t.expires_at > now() and s.id = t.session_id and s.ended_at is null
     and exists (select from app_user u where u.id = s.user_id and u.disabled_at is null)
  returning s.id as "sessionId", s.user_id as "userId"`;

const END_SESSION_OF_SPENT_TOKEN = `
  update user_session s set ended_at = now() from refresh_token t
   where t.hash = $1 and t.spent_at is not null and s.id = t.session_id and s.ended_at is null
  returning s.id as "sessionId", s.user_id as "userId"`;

const SWEEP = `
  delete from user_session where id in (
    select id from user_session where expires_at < now() limit 100 for update skip locked)`;

interface Spent {
  sessionId: string;
  userId: number;
}

/** Sessions of people who log in by password: an access token for requests, a refresh token for the next one. */
export class SessionService {
  readonly #brake: LoginBrake;

  readonly #logins: AddressLimit;

  /** @param loginsPerMinute attempts to log in of one client address a minute; 0: unlimited */
  constructor(
    private readonly database: Database,
    private readonly tokens: AccessTokens,
    loginsPerMinute = 0,
  ) {
    this.#logins = new AddressLimit(loginsPerMinute);
    this.#brake = new LoginBrake(database);
  }

  /** Logs in. A wrong password and an unknown email are told apart by nobody. */
  async create(email: string, password: string, address?: string): Promise<Session> {
    const seconds = this.#logins.count(address);
    if (seconds > 0) throw new RateLimitedError(seconds, 'Too many attempts to log in from this address.');
    const name = email.trim().toLowerCase();
    checkTexts({ email: name, password });
    const client = await this.#brake.enter(name, address);
    const [user] = await this.database.query<{ id: number; hash: string | null }>(
      'select id, password_hash as hash from app_user where email = $1 and disabled_at is null',
      [name],
    );
    const isRight = await verifyPassword(password, user?.hash ?? null, client);
    if (!user || !isRight) throw new UnauthenticatedError('The email or the password is wrong.');
    await this.#brake.release(name, address);
    await this.database.query(SWEEP);
    const sessionId = timeOrderedUuid();
    return this.database.transaction(async sql => {
      await sql.query(OPEN_SESSION, [sessionId, user.id]);
      return this.#issue(sql, { sessionId, userId: user.id });
    });
  }

  /**
   * Spends a refresh token and answers with the next one. A token that was spent before ends the session for whoever
   * holds its other tokens: thief and owner cannot be told apart, so both log in again. That includes the slower of two
   * that send the same token at once.
   */
  async refresh(refresh: string): Promise<Session> {
    const hash = hashOf(refresh);
    const session = await this.database.transaction(async sql => {
      const [spent] = await sql.query<Spent>(SPEND_TOKEN, [hash]);
      if (spent) return this.#renew(sql, spent);
      const [reused] = await sql.query<Spent>(END_SESSION_OF_SPENT_TOKEN, [hash]);
      if (reused) await recordReuse(sql, reused);
      return null;
    });
    if (!session) throw new UnauthenticatedError('The refresh token is expired, spent or none of this service.');
    return session;
  }

  /** Logs out: every token of the session is refused from now on. Harmless on a token that opens nothing. */
  async end(refresh: string): Promise<boolean> {
    await this.database.query(
      `update user_session s set ended_at = now() from refresh_token t
        where t.hash = $1 and s.id = t.session_id and s.ended_at is null`,
      [hashOf(refresh)],
    );
    return true;
  }

  /** The viewer behind an access token; null when it is not valid, or its session has ended. */
  async identify(token: string): Promise<Viewer | null> {
    const claims = await this.tokens.read(token);
    if (!claims) return null;
    const [row] = await this.database.query<{ isAdmin: boolean; isSpendingLimited: boolean }>(
      `select u.is_admin as "isAdmin", u.service_limit_usd is not null as "isSpendingLimited" from user_session s join app_user u on u.id = s.user_id
        where s.id = $1 and s.user_id = $2 and s.ended_at is null and u.disabled_at is null`,
      [claims.sessionId, claims.userId],
    );
    return row ? { ...claims, ...row, via: 'jwt' } : null;
  }

  async #renew(sql: Sql, spent: Spent): Promise<Session> {
    await sql.query('delete from refresh_token where session_id = $1 and expires_at < now()', [spent.sessionId]);
    await sql.query(
      `update user_session set expires_at = now() + make_interval(days => ${REFRESH_DAYS}) where id = $1`,
      [spent.sessionId],
    );
    return this.#issue(sql, spent);
  }

  async #issue(sql: Sql, { sessionId, userId }: Spent): Promise<Session> {
    const refresh = randomBytes(32).toString('base64url');
    await sql.query(ADD_TOKEN, [sha256(refresh), sessionId]);
    return { access: await this.tokens.issue({ userId, sessionId }), refresh };
  }
}

/** Ends every session of a user but the one of `keptId`: whoever knew the old password is out. */
export async function endSessionsOf(sql: Sql, userId: number, keptId?: string): Promise<void> {
  await sql.query(
    `update user_session set ended_at = now()
      where user_id = $1 and ended_at is null and ($2::uuid is null or id <> $2)`,
    [userId, keptId ?? null],
  );
}

async function recordReuse(sql: Sql, { sessionId, userId }: Spent): Promise<void> {
  const viewer: Viewer = { userId, isAdmin: false, via: 'jwt' };
  await recordDeed(sql, viewer, { action: 'session.reuse', object: { type: 'session', id: sessionId } });
}

function hashOf(refresh: string): Buffer {
  return sha256(refresh.slice(0, MAX_TOKEN));
}

/** What cannot be stored cannot be anybody's; it is bad input like everywhere. */
function checkTexts(texts: Record<string, string>): void {
  const faults = new Faults();
  for (const [name, value] of Object.entries(texts)) faults.text(name, value, { min: 1, max: 4_096 });
  faults.throwIfAny();
}
