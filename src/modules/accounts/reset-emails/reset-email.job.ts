import type { Queue, QueueOptions } from '../../../durable/queue.js';
import { startQueueWorkers } from '../../../durable/queue-workers.js';
import type { Job, Worker } from '../../../durable/worker.js';
import { parseAddress } from '../../../engine/email/address.js';
import type { Email, EmailSender } from '../../../engine/email/port.js';
import { PortError } from '../../../engine/ports.js';
import type { Config } from '../../../platform/config/config.js';
import type { Database } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import type { Log } from '../../../platform/logging/log.js';
import { LabeledCounter } from '../../../platform/metrics/labeled-counter.js';
import type { AccountTables } from '../account-tables.js';
import { EMAILED_LINK_MINUTES, issueEmailedLink, resetPath } from '../sessions/sign-in-links.js';
import { OPERATOR } from '../viewer.js';

/** The queue of requested emails with a link for a new password. */
export const RESET_EMAIL_QUEUE = 'password-reset-email';

/** The data of a job. The email may have no account. */
export interface ResetEmailRequest {
  email: string;
  /** The IP address of the client. Null if unknown. */
  client: string | null;
}

/** An email that was not sent within an hour would surprise its recipient, so its job is deleted then. */
export const RESET_EMAIL_JOBS: QueueOptions = {
  notify: true,
  retryLimit: 10,
  retryDelay: 1,
  retryBackoff: true,
  expireInSeconds: 60,
  retentionSeconds: 3_600,
  deleteAfterSeconds: 60,
};

const CONCURRENCY = 2;
/** The maximum duration of sending. It is shorter than `expireInSeconds`, after which pg-boss would repeat the job. */
const SEND_MS = 40_000;

/** Sends requested emails with a link for a new password. A repeated job sends a further link. */
export class ResetEmailJob implements Job {
  /** Attempts to handle a request, by outcome. */
  readonly outcomes = new LabeledCounter(['outcome']);
  #workers: Worker | undefined;

  constructor(
    private readonly parts: {
      database: Database;
      queue: Queue;
      sender: EmailSender;
      config: Pick<Config, 'mail' | 'publicUrl'>;
      log: Log;
    },
  ) {}

  start(): void {
    this.#workers = startQueueWorkers<ResetEmailRequest>(
      this.parts,
      RESET_EMAIL_QUEUE,
      CONCURRENCY,
      async ({ id, data }) => this.outcomes.count([await this.#send(id, data)]),
    );
  }

  async stop(graceMs: number): Promise<void> {
    await this.#workers?.stop(graceMs);
  }

  async #send(jobId: string, { email, client }: ResetEmailRequest): Promise<'sent' | 'no_account' | 'failed'> {
    const { database, sender, config, log } = this.parts;
    const { mail, publicUrl } = config;
    if (!mail) {
      log.warn('email for a new password not sent: SMTP_URL is not set in this process');
      return 'failed';
    }
    const userId = await this.#findUser(email);
    if (userId === undefined) return 'no_account';
    // The caller had no credentials: the service itself creates the link.
    const viewer = client === null ? OPERATOR : { ...OPERATOR, address: client };
    const token = await database.transaction(sql => issueEmailedLink(sql, viewer, userId));
    try {
      const link = `${publicUrl}${resetPath(token)}`;
      const message = createResetEmail({
        link,
        service: publicUrl,
        to: email,
        from: mail.from,
        connection: mail.server,
      });
      await sender.send(message, { signal: AbortSignal.timeout(SEND_MS), idempotencyKey: jobId });
      return 'sent';
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'email for a new password not sent');
      if (error instanceof PortError && error.isFinal) return 'failed';
      // pg-boss repeats the job after an error, so this attempt is counted here.
      this.outcomes.count(['failed']);
      throw error;
    }
  }

  /** Finds the active user with this email who has a password. Users without one get no link by email. */
  async #findUser(email: string): Promise<number | undefined> {
    const user = await queryBuilder<AccountTables>(this.parts.database)
      .selectFrom('app_user')
      .select('id')
      .where('email', '=', email)
      .where('disabled_at', 'is', null)
      .where('password_hash', 'is not', null)
      .executeTakeFirst();
    return user?.id;
  }
}

interface ResetEmail extends Pick<Email, 'connection'> {
  from: string;
  link: string;
  /** The address of the service. */
  service: string;
  to: string;
}

function createResetEmail({ link, service, to, from, connection }: ResetEmail): Email {
  const text = `A new password was requested for your account at ${service}.

Set the new password within ${EMAILED_LINK_MINUTES} minutes. The link works once:

${link}

If it was not you, ignore this email: your password stays as it is.
`;
  const recipients = { to: [{ name: '', address: to }], cc: [], bcc: [], replyTo: null };
  const sender = parseAddress(from) ?? { name: '', address: from };
  return { connection, from: sender, ...recipients, subject: 'Set a new password', text, html: null, attachments: [] };
}
