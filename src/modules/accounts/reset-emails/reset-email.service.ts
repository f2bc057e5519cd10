import { z } from 'zod';
import type { Queue } from '../../../durable/queue.js';
import type { Database } from '../../../platform/database/database.js';
import { ConflictError, InvalidInputError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import type { LoginClient, SessionService } from '../sessions/session.service.js';
import { MAX_EMAIL, normalizeEmail } from '../users/email-address.js';
import { LoginThrottle } from '../users/login-throttle.js';
import { RESET_EMAIL_QUEUE, type ResetEmailRequest } from './reset-email.job.js';

/** Accepts requests for a link by which a user sets a new password, sent to the email of the user. */
export class ResetEmailService {
  readonly #throttle: LoginThrottle;

  /** @param isConfigured whether the operator has configured a mail server */
  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
    private readonly sessions: Pick<SessionService, 'countAttempt'>,
    readonly isConfigured: boolean,
  ) {
    this.#throttle = new LoginThrottle(database);
  }

  /**
   * Requests an email with a link. A job looks the account up and sends the email, so neither the response nor its time
   * depends on the account.
   *
   * @throws ConflictError if no mail server is configured
   * @throws RateLimitedError beyond the limit of the client network or of the email
   */
  async request(email: string, client: LoginClient): Promise<true> {
    this.sessions.countAttempt(client);
    if (!this.isConfigured)
      throw new ConflictError('No mail server is configured. Ask an administrator for a link to set a new password.');
    const address = normalizeEmail(email);
    const faults = new Faults();
    faults.text('email', address, { min: 1, max: MAX_EMAIL });
    faults.throwIfAny();
    if (!z.email().safeParse(address).success) throw new InvalidInputError({ email: ['Enter a valid email address.'] });
    await this.#throttle.countResetRequest(address);
    const data: ResetEmailRequest = { email: address, client: client.address ?? null };
    await this.queue.send(RESET_EMAIL_QUEUE, [{ data }], this.database);
    return true;
  }
}
