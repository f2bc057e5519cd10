import { isRetryableDatabaseError } from '../database/database-errors.js';

/** A startup failure that the operator can fix. The message is one line with the variable and the remedy. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(oneLine(message), options);
    this.name = 'StartError';
  }
}

interface SystemError {
  code?: string;
  message?: string;
  syscall?: string;
  address?: string;
  port?: number;
  errors?: unknown[];
}

/** Runs a startup step. `explain` may convert an error of the step to a StartError; otherwise the error is rethrown. */
export async function startStep<T>(explain: (error: unknown) => StartError | undefined, step: () => Promise<T>) {
  try {
    return await step();
  } catch (error) {
    throw (error instanceof StartError ? undefined : explain(error)) ?? error;
  }
}

/**
 * Converts a driver error for the connection to `url`. Undefined for unrelated errors. The message never contains the
 * password.
 */
export function databaseStartError(error: unknown, url: string): StartError | undefined {
  const { user, server, database } = partsOf(url);
  const { code = '', message = '' } = error as SystemError;
  const explain = (text: string, remedy: string) =>
    new StartError(`DATABASE_URL: ${text} (${reasonOf(error)}). ${remedy}`, { cause: error });
  if (/pg_hba\.conf/.test(message)) {
    const entry = 'an entry for the user, the database and the address of this machine';
    return explain(
      `the file pg_hba.conf of PostgreSQL at ${server} does not admit this connection`,
      /no encryption|SSL off/.test(message)
        ? `Set sslmode=require if the server requires TLS, or add ${entry}.`
        : `Add ${entry}.`,
    );
  }
  if (code === '28P01' || code === '28000' || /client password must be a/.test(message))
    return explain(`PostgreSQL at ${server} rejects the user "${user}"`, 'Correct the user or the password.');
  if (code === '3D000')
    return explain(
      `PostgreSQL at ${server} has no database "${database}"`,
      'Create it, or set the name of another one.',
    );
  if (code === '42501')
    return explain(
      `the user "${user}" lacks a permission in the database "${database}"`,
      `Run: grant create on database "${database}" to "${user}"; grant all on schema public to "${user}".`,
    );
  if (code === '25006')
    return explain(
      `the database "${database}" of PostgreSQL at ${server} is read-only`,
      'Use the URL of the primary server, or make the database writable.',
    );
  if (isTlsError(code, message))
    return explain(
      `the TLS connection to PostgreSQL at ${server} failed`,
      'Set sslmode to what the server offers: disable, require, verify-full, or no-verify for a certificate that cannot be checked.',
    );
  if (isRetryableDatabaseError(error))
    return explain(
      `cannot connect to PostgreSQL at ${server}`,
      'Check the host and the port, and that the server runs.',
    );
  // A fatal response of the server or a pooler during session startup.
  if ((error as { severity?: unknown }).severity === 'FATAL')
    return explain(`PostgreSQL at ${server} rejects the connection`, 'Correct the URL or the server configuration.');
  return undefined;
}

/** Converts a file system error for a configured folder. Undefined for unrelated errors. */
export function folderStartError(
  error: unknown,
  variable: 'DATA_DIR' | 'STORAGE_URL',
  folder: string,
): StartError | undefined {
  const { code, syscall, message = '' } = error as SystemError;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || /No space left on device/.test(message);
  if (syscall === undefined && !isFull) return undefined;
  const remedy = isFull ? 'Free disk space.' : 'Set a folder that this user can create and write.';
  const fault = isFull ? 'is full' : 'cannot be used';
  return new StartError(`${variable}: "${folder}" ${fault} (${reasonOf(error)}). ${remedy}`, { cause: error });
}

/** Converts an error of `listen`. `portVariable` is PORT or METRICS_PORT. Undefined for unrelated errors. */
export function listenStartError(error: unknown, host: string, port: number, portVariable: string) {
  const { code, syscall } = error as SystemError;
  if (syscall === 'getaddrinfo' || code === 'EADDRNOTAVAIL')
    return new StartError(
      `HOST: "${host}" is not an address of this machine (${code}). Use 127.0.0.1, 0.0.0.0 or an address of this machine.`,
      { cause: error },
    );
  if (code === 'EADDRINUSE')
    return new StartError(
      `${portVariable}: ${host}:${port} is in use by another process (${code}). Choose a free port; 0 selects one.`,
      { cause: error },
    );
  if (syscall === 'listen' || syscall === 'bind')
    return new StartError(
      `${portVariable}: cannot listen on ${host}:${port} (${code}). Choose another port; those below 1024 need privileges.`,
      { cause: error },
    );
  return undefined;
}

/** Returns the reason of an error as one line: its message, its first nested error, or its code. */
export function reasonOf(error: unknown): string {
  const { message, code, errors } = error as SystemError;
  if (message) return oneLine(message).slice(0, 300);
  if (errors?.length) return reasonOf(errors[0]);
  return code ?? 'unknown error';
}

function oneLine(text: string): string {
  return text
    .split(/[\r\n]+/)
    .join(' ')
    .trim();
}

function isTlsError(code: string, message: string): boolean {
  return (
    /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code) ||
    /does not support SSL|sslmode|self-signed certificate/i.test(message)
  );
}

function partsOf(url: string): { user: string; server: string; database: string } {
  if (!URL.canParse(url)) return { user: '', server: '(unreadable URL)', database: '' };
  const { username, hostname, port, pathname } = new URL(url);
  const user = decodeName(username) || 'postgres';
  return {
    user,
    server: `${hostname || 'localhost'}:${port || 5432}`,
    database: decodeName(pathname.slice(1)) || user,
  };
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
