import { z } from 'zod';
import type { OidcSettings } from '../../../platform/config/config.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import type { Database } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import { ConflictError, RateLimitedError } from '../../../platform/errors/errors.js';
import type { Log } from '../../../platform/logging/log.js';
import { LabeledCounter } from '../../../platform/metrics/labeled-counter.js';
import {
  type OpenIdConnect,
  OpenIdError,
  type OpenIdFailure,
  type OpenIdUser,
} from '../../../providers/open-id-connect.js';
import type { AccountTables } from '../account-tables.js';
import { recordAuditEvent } from '../audit.js';
import type { LoginClient, SessionService } from '../sessions/session.service.js';
import type { Session } from '../sessions/session.type.js';
import { MAX_EMAIL, normalizeEmail } from '../users/email-address.js';
import { LoginThrottle } from '../users/login-throttle.js';
import type { UserService } from '../users/user.service.js';
import { OPERATOR, toLoginViewer } from '../viewer.js';
import { openSignIn, SIGN_IN_MINUTES, sealSignIn } from './sealed-sign-in.js';

/** Why a sign-in failed. The console has a message for each. */
export type SignInProblem =
  | OpenIdFailure
  | 'expired'
  | 'unverified'
  | 'foreign_domain'
  | 'unknown_user'
  | 'disabled'
  | 'limited';

export type SignInResult = { session: Session; next: string } | { problem: SignInProblem };

/**
 * A path of the console: printable ASCII without spaces and backslashes, at most 1,001 characters. `//host` and
 * `/\host` do not match, because browsers open them as another site.
 */
const CONSOLE_PATH = /^\/(?![/\\])[!-[\]-~]{0,1000}$/;

export interface OidcParts {
  settings: OidcSettings;
  issuer: OpenIdConnect;
  /** The address to which the issuer redirects. It is registered there. */
  redirectUrl: string;
  database: Database;
  vault: Vault;
  sessions: Pick<SessionService, 'countAttempt' | 'open'>;
  users: Pick<UserService, 'create'>;
  log: Log;
}

/** Signs users in at the OpenID Connect issuer of the operator. The verified email of a user identifies the account. */
export class OidcSignInService {
  readonly outcomes = new LabeledCounter(['outcome']);
  readonly #throttle: LoginThrottle;

  constructor(private readonly parts: OidcParts) {
    this.#throttle = new LoginThrottle(parts.database);
  }

  /**
   * Begins a sign-in. Returns the address of the issuer and the content of a cookie.
   *
   * @param next the path of the console to open afterwards. Another text counts as `/`.
   */
  async start(
    next: string,
    client: LoginClient,
  ): Promise<{ url: string; sealed: string } | { problem: SignInProblem }> {
    try {
      this.parts.sessions.countAttempt(client);
      const { url, checks } = await this.parts.issuer.start(this.parts.redirectUrl);
      const expiresAt = Date.now() + SIGN_IN_MINUTES * 60_000;
      return {
        url,
        sealed: sealSignIn(this.parts.vault, { ...checks, next: CONSOLE_PATH.test(next) ? next : '/', expiresAt }),
      };
    } catch (error) {
      return { problem: this.#toProblem(error) };
    }
  }

  /**
   * Completes a sign-in.
   *
   * @param query the parameters with which the issuer has redirected
   * @param sealed the content of the cookie; null without one
   */
  async finish(query: string, sealed: string | null, client: LoginClient): Promise<SignInResult> {
    const result = await this.#finish(query, sealed, client).catch(error => ({ problem: this.#toProblem(error) }));
    this.outcomes.count(['problem' in result ? result.problem : 'signed_in']);
    return result;
  }

  async #finish(query: string, sealed: string | null, client: LoginClient): Promise<SignInResult> {
    this.parts.sessions.countAttempt(client);
    const signIn = sealed === null ? undefined : openSignIn(this.parts.vault, sealed);
    if (!signIn) return { problem: 'expired' };
    const { issuer, redirectUrl, settings } = this.parts;
    const claims = await issuer.finish(new URL(`${redirectUrl}?${query}`), signIn);
    const email = verifiedEmail(claims);
    if (email === null) return { problem: 'unverified' };
    if (!isOfDomains(email, settings.domains)) return { problem: 'foreign_domain' };
    const user = (await this.#find(email)) ?? (settings.createsUsers ? await this.#create(email, claims) : undefined);
    if (!user) return { problem: 'unknown_user' };
    const session = user.isDisabled ? null : await this.#open(user.id, client);
    if (!session) return { problem: 'disabled' };
    await this.#throttle.recordSuccess(email, client.address);
    return { session, next: signIn.next };
  }

  async #find(email: string): Promise<{ id: number; isDisabled: boolean } | undefined> {
    const row = await queryBuilder<AccountTables>(this.parts.database)
      .selectFrom('app_user')
      .select(['id', 'disabled_at as disabledAt'])
      .where('email', '=', email)
      .executeTakeFirst();
    return row && { id: row.id, isDisabled: row.disabledAt !== null };
  }

  /** Creates the user of an email, or returns the one that a concurrent sign-in has created. */
  async #create(email: string, { name }: OpenIdUser): Promise<{ id: number; isDisabled: boolean } | undefined> {
    try {
      await this.parts.users.create(OPERATOR, { email, name: (name ?? '').replace(/\p{Cc}/gu, ' ').slice(0, 255) });
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
    return this.#find(email);
  }

  /** Opens a session. Returns null if the user was disabled meanwhile. */
  #open(userId: number, client: LoginClient): Promise<Session | null> {
    return this.parts.database.transaction(async sql => {
      const user = await queryBuilder<AccountTables>(sql)
        .selectFrom('app_user')
        .select('id')
        .where('id', '=', userId)
        .where('disabled_at', 'is', null)
        .forUpdate()
        .executeTakeFirst();
      if (!user) return null;
      const viewer = toLoginViewer(userId, client.address);
      await recordAuditEvent(sql, viewer, { action: 'oidc.sign-in', object: { type: 'user', id: userId } });
      return this.parts.sessions.open(sql, userId, client);
    });
  }

  /** Unexpected errors are logged, because the user sees only the sign-in page with a message for the problem. */
  #toProblem(error: unknown): SignInProblem {
    if (error instanceof RateLimitedError) return 'limited';
    if (error instanceof OpenIdError) return error.failure;
    this.parts.log.error({ err: error }, 'sign-in by OpenID Connect failed');
    return 'unavailable';
  }
}

function verifiedEmail({ email, isEmailVerified }: OpenIdUser): string | null {
  if (email === null || !isEmailVerified) return null;
  const address = normalizeEmail(email);
  return address.length <= MAX_EMAIL && z.email().safeParse(address).success ? address : null;
}

function isOfDomains(email: string, domains: readonly string[]): boolean {
  return domains.length === 0 || domains.includes('*') || domains.includes(email.slice(email.lastIndexOf('@') + 1));
}
