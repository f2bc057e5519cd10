import type { Database } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import { ConflictError, NotFoundError, UnauthenticatedError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import type { AccountTables } from '../account-tables.js';
import { deleteKeysOf } from '../api-keys/delete-keys.js';
import { waitForLeaseExpiry } from '../api-keys/key-leases.js';
import { recordAuditEvent } from '../audit.js';
import { endSessionsOf, type LoginClient, type SessionService } from '../sessions/session.service.js';
import type { PasswordResetLink, Session } from '../sessions/session.type.js';
import { deleteLinksOf, findResetLink, issueResetLink, resetPath } from '../sessions/sign-in-links.js';
import { toLoginViewer, type Viewer } from '../viewer.js';
import { LoginThrottle } from './login-throttle.js';
import { checkPassword, hashPassword } from './password.js';
import { assertAdministrator } from './user.service.js';

export interface PasswordReset {
  newPassword: string;
  /** Whether to delete the API keys of the user. */
  revokeKeys: boolean;
}

/** Lets users who forgot their password set a new one by a link. */
export class PasswordResetService {
  readonly #throttle: LoginThrottle;

  constructor(
    private readonly database: Database,
    private readonly sessions: Pick<SessionService, 'countAttempt' | 'open'>,
  ) {
    this.#throttle = new LoginThrottle(database);
  }

  /**
   * Issues a link for a user. It replaces all earlier links of the user.
   *
   * @throws NotFoundError if the user does not exist
   * @throws ConflictError if the user is disabled
   */
  async createLink(viewer: Viewer, userId: number): Promise<PasswordResetLink> {
    assertAdministrator(viewer);
    const user = await queryBuilder<AccountTables>(this.database)
      .selectFrom('app_user')
      .select('disabled_at as disabledAt')
      .where('id', '=', userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!user) throw new NotFoundError();
    if (user.disabledAt !== null) throw new ConflictError('The user is disabled. Enable the user first.');
    const { token, expiresAt } = await this.database.transaction(sql => issueResetLink(sql, viewer, userId));
    return { path: resetPath(token), expiresAt };
  }

  /**
   * Sets the password of the user of a link and logs the user in. Ends all sessions of the user and deletes all links.
   *
   * @throws InvalidInputError if the password is too short or too long. The link can still be used.
   * @throws UnauthenticatedError if the link is unknown, used or expired, or its user is disabled
   */
  async reset(token: string, { newPassword, revokeKeys }: PasswordReset, client: LoginClient): Promise<Session> {
    this.sessions.countAttempt(client);
    const faults = new Faults();
    checkPassword(faults, 'newPassword', newPassword);
    faults.throwIfAny();
    // Hashing is expensive: it is done only for a valid link. The transaction checks the link again.
    if (!(await findResetLink(this.database, token))) throw new UnauthenticatedError(REFUSAL);
    const passwordHash = await hashPassword(newPassword);
    const { session, email, revokedKeys } = await this.database.transaction(async sql => {
      const link = await findResetLink(sql, token);
      if (!link) throw new UnauthenticatedError(REFUSAL);
      const { userId } = link;
      await queryBuilder<AccountTables>(sql)
        .updateTable('app_user')
        .set({ password_hash: passwordHash })
        .where('id', '=', userId)
        .execute();
      await deleteLinksOf(sql, userId);
      await endSessionsOf(sql, userId);
      const revoked = revokeKeys ? await deleteKeysOf(sql, userId) : 0;
      const viewer = toLoginViewer(userId, client.address);
      const object = { type: 'user', id: userId };
      await recordAuditEvent(sql, viewer, { action: 'user.password-reset', object, detail: { revokedKeys: revoked } });
      return { session: await this.sessions.open(sql, userId, client), email: link.email, revokedKeys: revoked };
    });
    await this.#throttle.recordSuccess(email, client.address);
    // Until their leases expire, processes still accept the deleted keys.
    if (revokedKeys > 0) await waitForLeaseExpiry();
    return session;
  }
}

const REFUSAL = 'The link is invalid, expired or already used. Request a new one, or ask an administrator.';
