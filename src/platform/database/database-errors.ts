/**
 * The only classification of database errors: may the same statement succeed later or never?
 *
 * SQLSTATE classes that may succeed later (PostgreSQL documentation, appendix A): 08 connection exception, 40
 * transaction rollback, 53 insufficient resources, 57 operator intervention (shutdown, cancel, statement timeout).
 * Single codes: 25006 (read-only server), 25P03 (idle transaction closed) and 55P03 (lock not available).
 */
const RETRYABLE_SQLSTATE = /^(?:08...|25006|25P03|40...|53...|55P03|57...)$/;

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
]);

/** Messages of driver errors that have no code. */
const DRIVER_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Query read timeout',
];

interface ErrorLike {
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/**
 * Returns true if the same work may succeed later. The database is unreachable, read-only, starting, stopping or out of
 * resources, or the statement was cancelled, timed out or conflicted. Also checks `cause` and, for attempts to several
 * addresses, `errors`.
 */
export function isRetryableDatabaseError(error: unknown): boolean {
  for (let cause = error as ErrorLike | null | undefined; cause; cause = cause.cause as ErrorLike | undefined) {
    const code = typeof cause.code === 'string' ? cause.code : '';
    if (RETRYABLE_SQLSTATE.test(code) || NETWORK_CODES.has(code)) return true;
    const message = typeof cause.message === 'string' ? cause.message : '';
    if (DRIVER_MESSAGES.some(text => message.includes(text))) return true;
    if (Array.isArray(cause.errors) && cause.errors.some(isRetryableDatabaseError)) return true;
  }
  return false;
}

/** Returns true for faults of the data itself (SQLSTATE classes 22 and 23), which a retry would repeat. */
export function isDataFault(error: unknown): boolean {
  return /^2[23]...$/.test(sqlStateOf(error));
}

/** Returns true if another row has the same value of a unique constraint. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlStateOf(error) === '23505';
}

/** Returns true if a row refers to a row that another transaction has deleted meanwhile. */
export function isForeignKeyViolation(error: unknown): boolean {
  return sqlStateOf(error) === '23503';
}

/**
 * Returns true if PostgreSQL rolled the transaction back because of a conflict. An immediate retry usually succeeds.
 */
export function isSerializationFailure(error: unknown): boolean {
  const code = sqlStateOf(error);
  return code === '40P01' || code === '40001';
}

/** Returns true if a statement timed out while it waited for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return sqlStateOf(error) === '55P03';
}

function sqlStateOf(error: unknown): string {
  const code = (error as ErrorLike | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
