import type { Database } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import { ConflictError, InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import type { AccountTables } from '../account-tables.js';
import { deleteKeysOf } from '../api-keys/delete-keys.js';
import { waitForLeaseExpiry } from '../api-keys/key-leases.js';
import { recordAuditEvent } from '../audit.js';
import { endSessionsOf } from '../sessions/session.service.js';
import type { PasswordChange } from '../sessions/session.type.js';
import { deleteLinksOf } from '../sessions/sign-in-links.js';
import type { Viewer } from '../viewer.js';
import type { HashingQueue } from './hashing-queue.js';
import { LoginThrottle } from './login-throttle.js';
import { checkPassword, hashPassword, verifyPassword } from './password.js';

export interface NewPassword {
  currentPassword: string;
  newPassword: string;
  /** Whether to delete the API keys of the user. */
  revokeKeys: boolean;
}

/** Lets users change their own password. */
export class PasswordChangeService {
  readonly #throttle: LoginThrottle;

  constructor(
    private readonly database: Database,
    private readonly hashing: HashingQueue,
  ) {
    this.#throttle = new LoginThrottle(database);
  }

  /**
   * Changes the password of the viewer and ends the other sessions of the user. Deletes the API keys if
   * `revokeKeys` is true.
   *
   * @throws InvalidInputError if the current password is wrong, or the new password is too short or too long
   * @throws RateLimitedError after 10 wrong passwords from one client address within 15 minutes
   */
  async change(viewer: Viewer, { currentPassword, newPassword, revokeKeys }: NewPassword): Promise<PasswordChange> {
    const faults = new Faults();
    faults.text('currentPassword', currentPassword, { min: 1, max: 4_096 });
    checkPassword(faults, 'newPassword', newPassword);
    faults.throwIfAny();
    const user = await queryBuilder<AccountTables>(this.database)
      .selectFrom('app_user')
      .select(['email', 'password_hash as hash'])
      .where('id', '=', viewer.userId)
      .where('disabled_at', 'is', null)
      .executeTakeFirst();
    if (!user) throw new NotFoundError();
    const client = await this.#throttle.countAttempt(user.email, viewer.address);
    if (!(await verifyPassword(this.hashing, currentPassword, user.hash, client)))
      throw new InvalidInputError({ currentPassword: ['The current password is wrong.'] });
    await this.#throttle.recordSuccess(user.email, viewer.address);
    const hash = await hashPassword(newPassword);
    const revokedKeys = await this.database.transaction(async sql => {
      const row = await queryBuilder<AccountTables>(sql)
        .updateTable('app_user')
        .set({ password_hash: hash })
        .where('id', '=', viewer.userId)
        .where('password_hash', '=', user.hash)
        .returning('id')
        .executeTakeFirst();
      if (!row) throw new ConflictError('Another request changed the password at the same time.');
      await deleteLinksOf(sql, viewer.userId);
      await endSessionsOf(sql, viewer.userId, viewer.sessionId);
      const revoked = revokeKeys ? await deleteKeysOf(sql, viewer.userId) : 0;
      const object = { type: 'user', id: viewer.userId };
      await recordAuditEvent(sql, viewer, { action: 'user.password-change', object, detail: { revokedKeys: revoked } });
      return revoked;
    });
    if (revokedKeys > 0) await waitForLeaseExpiry();
    return { revokedKeys };
  }
}
