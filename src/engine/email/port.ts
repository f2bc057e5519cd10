import type { LoadedFile } from '../files/port.js';
import type { MailAddress } from './address.js';

/** An email of a workflow. */
export interface Email {
  /** Address of the mail server, which `parseMailUrl` accepts. Empty if `connectionId` is set. */
  connection: string;
  /** Connection to the mail server. Absent: `connection` is set. */
  connectionId?: number;
  from: MailAddress;
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
  bcc: readonly MailAddress[];
  replyTo: MailAddress | null;
  subject: string;
  /** Null: only HTML. */
  text: string | null;
  html: string | null;
  attachments: readonly LoadedFile[];
}

/** The answer of the mail server. */
export interface EmailReceipt {
  messageId: string;
  accepted: string[];
  rejected: string[];
}

/** Sends emails over SMTP. Each call has a connection of its own. */
export interface EmailSender {
  /** All calls with the same idempotency key send the same `Message-ID`. Throws a PortError. */
  send(email: Email, call: { signal: AbortSignal; idempotencyKey: string }): Promise<EmailReceipt>;
}
