import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { Transform } from 'node:stream';
import type { Email, EmailReceipt, EmailSender } from '../engine/email/port.js';
import { type MailServer, parseMailUrl } from '../engine/email/url.js';
import { PortError } from '../engine/ports.js';
import { MASK } from '../engine/secrets.js';
import { OutboundError } from '../platform/outbound/errors.js';
import type { SocketOpener } from '../platform/outbound/socket.js';

/** Maximum characters of the message of a server in an error. */
const MAX_MESSAGE = 500;
/** The connection is closed if the server sends nothing for this time. */
const SILENCE_MS = 30_000;

/** Sends emails and checks mail servers. */
export interface MailServers extends EmailSender {
  /** Signs in at a mail server and sends nothing. Throws a PortError. */
  check(connection: string, call: { signal: AbortSignal }): Promise<void>;
}

/** Creates the sender of emails through servers that users name. */
export function createEmailSender(openSocket: SocketOpener): MailServers {
  return {
    check: (connection, { signal }) =>
      withMailServer(openSocket, connection, signal, async (server, socket) => {
        await (await transportOf(server, socket)).verify();
      }),
    send: (email, { signal, idempotencyKey: key }) =>
      withMailServer(openSocket, email.connection, signal, (server, socket, progress) =>
        deliver(email, server, { socket, progress, key }),
      ),
  };
}

/** Runs `work` with a socket to the mail server, which is closed afterwards. Throws a PortError, or the reason of the signal. */
async function withMailServer<T>(
  openSocket: SocketOpener,
  connection: string,
  signal: AbortSignal,
  work: (server: MailServer, socket: Socket, progress: Progress) => Promise<T>,
): Promise<T> {
  const server = parseMailUrl(connection);
  if (!server) throw new PortError('invalid_connection', 'the connection is not the address of a mail server');
  const socket = await openSocket(server.host, server.port, signal).catch((error: unknown) => {
    throw error instanceof OutboundError ? new PortError(error.code, error.message) : error;
  });
  const abort = () => socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  const progress = { isTransmitted: false };
  try {
    return await work(server, socket, progress);
  } catch (error) {
    throw signal.aborted ? signal.reason : toPortError(error, server, progress);
  } finally {
    signal.removeEventListener('abort', abort);
    socket.destroy();
  }
}

interface Progress {
  /** True after the whole message was written to the connection. */
  isTransmitted: boolean;
}

async function transportOf({ host, port, user, password, tls }: MailServer, socket: Socket) {
  // Loaded by the first email, to save memory in processes without emails.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    ...{ host, port, connection: socket, secure: tls === 'implicit', requireTLS: tls === 'starttls' },
    ...(tls === 'none' ? { ignoreTLS: true } : {}),
    ...(user === '' ? {} : { auth: { user, pass: password } }),
    ...{ greetingTimeout: SILENCE_MS, socketTimeout: SILENCE_MS },
    // Names in the message never lead to files or addresses.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
}

async function deliver(
  email: Email,
  server: MailServer,
  { socket, progress, key }: { socket: Socket; progress: Progress; key: string },
): Promise<EmailReceipt> {
  const transport = await transportOf(server, socket);
  transport.use('stream', (mail, done) => {
    mail.message?.transform(
      new Transform({
        transform: (chunk, _encoding, next) => next(null, chunk),
        flush: next => {
          progress.isTransmitted = true;
          next();
        },
      }),
    );
    done();
  });
  const { from, to, cc, bcc, replyTo, subject, text, html, attachments } = email;
  const sent = await transport.sendMail({
    ...{ from, to: [...to], cc: [...cc], bcc: [...bcc], subject },
    ...(replyTo === null ? {} : { replyTo }),
    ...(text === null ? {} : { text }),
    ...(html === null ? {} : { html }),
    messageId: `<${createHash('sha256').update(key).digest('hex').slice(0, 40)}@scenarium>`,
    attachments: attachments.map(({ reference, bytes }) => ({
      filename: reference.name,
      contentType: reference.content_type,
      content: Buffer.from(bytes),
    })),
  });
  const addresses = (list: readonly unknown[] | undefined) =>
    (list ?? []).map(entry => (typeof entry === 'string' ? entry : String((entry as { address?: unknown }).address)));
  return { messageId: sent.messageId, accepted: addresses(sent.accepted), rejected: addresses(sent.rejected) };
}

/** The message has no password, even if the server sends it back. */
function toPortError(error: unknown, { password }: MailServer, { isTransmitted }: Progress): PortError {
  const { code, responseCode, message } = error as Record<string, unknown>;
  const spellings = [password, encodeURIComponent(password), Buffer.from(password).toString('base64')];
  const safe = spellings
    .filter(spelling => spelling !== '')
    .reduce((rest, spelling) => rest.replaceAll(spelling, MASK), String(message ?? 'the connection failed'));
  const short = safe.slice(0, MAX_MESSAGE).toWellFormed().replaceAll('\0', '\uFFFD');
  if (code === 'EAUTH') return new PortError('email_unauthorized', `the mail server refused the credentials: ${short}`);
  // Without an answer to the whole message, the server may have accepted it. A repetition could send it twice.
  if (isTransmitted && typeof responseCode !== 'number')
    return new PortError(
      'email_uncertain',
      `the mail server did not confirm the message, which may have been sent: ${short}`,
      { isFinal: true },
    );
  const isFinal = typeof responseCode === 'number' && responseCode >= 500;
  return new PortError('email_failed', `the email was not sent: ${short}`, { isFinal });
}
