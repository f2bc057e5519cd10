import { randomUUID } from 'node:crypto';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { DomainError, InvalidInputError, UnavailableError } from '../base/errors.js';
import { isDatabaseAway, isDataFault } from '../base/database.js';
import type { Log } from '../base/log.js';

/** HTTP statuses of whole-request failures; a resolver's error travels in a 200 as GraphQL has it. */
const HTTP_STATUS: Record<string, number> = { UNAUTHENTICATED: 401, UNAVAILABLE: 503 };

/**
 * What a caller may hear of an error that was thrown: domain errors as they are, data that PostgreSQL refuses as bad
 * input, an absent database as unavailable. Undefined: a fault of ours.
 */
export function domainErrorOf(error: unknown): DomainError | undefined {
  for (let cause = error; cause; cause = (cause as { originalError?: unknown; cause?: unknown }).originalError ?? (cause as Error).cause) {
    if (cause instanceof DomainError) return cause;
    if (isDatabaseAway(cause)) return new UnavailableError('The database is away. Try again in a moment.');
    if (isDataFault(cause)) return new InvalidInputError({ nonFieldErrors: ['A value is out of the range that can be stored.'] });
  }
  return undefined;
}

/** Apollo's `formatError`: domain errors pass, faults of ours are logged and answered without a word about them. */
export function formatterOf(log: Log) {
  return (formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError => {
    const domain = domainErrorOf(thrown);
    if (domain) {
      return { ...formatted, message: domain.message, extensions: { ...domain.extensions } };
    }
    const code = formatted.extensions?.code;
    const original = thrown instanceof GraphQLError ? thrown.originalError : thrown;
    if (!original || original instanceof GraphQLError || isClientFault(code)) {
      return { ...formatted, extensions: { code: clientCode(code) } };
    }
    const requestId = randomUUID();
    log.error({ err: original, requestId }, 'a GraphQL operation failed');
    return { ...formatted, message: 'Internal server error.', extensions: { code: 'INTERNAL_SERVER_ERROR', requestId } };
  };
}

export function httpStatusOf(code: unknown): number | undefined {
  return HTTP_STATUS[String(code)];
}

function isClientFault(code: unknown): boolean {
  return typeof code === 'string' && /^(GRAPHQL_|BAD_|PERSISTED_)/.test(code);
}

/** Parse, validation and variable errors are all bad input to a caller; Apollo's own codes stay. */
function clientCode(code: unknown): string {
  return typeof code === 'string' && code !== 'INTERNAL_SERVER_ERROR' ? code : 'BAD_USER_INPUT';
}
