import { randomUUID } from 'node:crypto';
import type { ErrorRequestHandler } from 'express';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import {
  isDataFault,
  isForeignKeyViolation,
  isRetryableDatabaseError,
  isUniqueViolation,
} from '../platform/database/database-errors.js';
import {
  ConflictError,
  DomainError,
  InvalidInputError,
  NotFoundError,
  UnavailableError,
} from '../platform/errors/errors.js';
import type { Log } from '../platform/logging/log.js';
import { ClientDisconnectedError } from '../platform/requests/client-disconnected-error.js';
import { currentRequestId } from '../platform/requests/request-id.js';
import { recordOutcome } from '../platform/tracing/work-context.js';

/** HTTP statuses of responses without data. Errors of single fields are part of a response with status 200. */
const HTTP_STATUS: Record<string, number> = { UNAUTHENTICATED: 401, RATE_LIMITED: 429, UNAVAILABLE: 503 };

/**
 * Maps an error to one that callers may see. Domain errors are returned unchanged, data that PostgreSQL rejects becomes an input error,
 * an object that was deleted meanwhile a NotFoundError, and an unreachable database or a disconnected client an
 * UnavailableError. Undefined for a defect of the service.
 */
export function domainErrorOf(error: unknown): DomainError | undefined {
  for (
    let cause = error;
    cause;
    cause = (cause as { originalError?: unknown; cause?: unknown }).originalError ?? (cause as Error).cause
  ) {
    if (cause instanceof DomainError) return cause;
    if (cause instanceof ClientDisconnectedError) return new UnavailableError(cause.message);
    if (isRetryableDatabaseError(cause))
      return new UnavailableError('The database is unreachable or busy. Try again in a moment.');
    if (isResourceExhausted(cause))
      return new UnavailableError('The service has no free disk space or file handles. Try again later.');
    // The checks before a statement name the value. Two requests at the same time can pass them with the same one.
    if (isUniqueViolation(cause))
      return new ConflictError(
        'Another request has stored the same value at the same time. Load the object and try again.',
      );
    // The checks before a statement have found the object. Another request deleted it meanwhile.
    if (isForeignKeyViolation(cause)) return new NotFoundError();
    if (isDataFault(cause))
      return new InvalidInputError({ nonFieldErrors: ['A value is out of the range that can be stored.'] });
  }
  return undefined;
}

/** Whether the disk is full or all file descriptors are in use, so that a retry may succeed. */
function isResourceExhausted(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'].includes(code);
}

/** Creates Apollo's `formatError`. It keeps domain errors; it logs defects and replaces them by a general message. */
export function createErrorFormatter(log: Log, isIntrospectable: boolean) {
  const format = (formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError => {
    const domain = domainErrorOf(thrown);
    if (domain) {
      return { ...formatted, message: domain.message, extensions: { ...domain.extensions } };
    }
    const original = thrown instanceof GraphQLError ? thrown.originalError : thrown;
    if (!original || original instanceof GraphQLError || isClientFault(formatted.extensions?.code)) {
      const message = withoutValues(formatted.message);
      return { ...formatted, message, extensions: { code: clientCode(formatted.extensions?.code) } };
    }
    const requestId = currentRequestId() ?? randomUUID();
    log.error({ err: original, requestId }, 'GraphQL operation failed');
    return {
      ...formatted,
      message: 'Internal server error.',
      extensions: { code: 'INTERNAL_SERVER_ERROR', requestId },
    };
  };
  return (formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError => {
    const result = format(formatted, thrown);
    recordOutcome({ inner: String(result.extensions?.code) });
    // Suggestions would reveal names of the schema.
    return isIntrospectable ? result : { ...result, message: result.message.replace(/ Did you mean .*$/s, '') };
  };
}

/** The part of a message of graphql-js about a variable that names fields and types but contains no value. */
const REASON = /; (Field "\w+" (?:is not defined by type "\w+"|of required type "[\w![\]]+" was not provided)\.).*$/s;

/** Removes values from messages of graphql-js: a rejected value may be a secret. Names and expected types remain. */
function withoutValues(message: string): string {
  const variable = /^Variable "\$\w+" got invalid value /.exec(message)?.[0];
  if (variable !== undefined)
    return `${variable.replace(' value ', ' value')}. ${REASON.exec(message)?.[1] ?? ''}`.trim();
  return message
    .replace(/^(Expected value of type "[\w![\]]+", found ).*$/s, '$1another.')
    .replace(/^(\w+ cannot represent [a-z0-9 -]+): .*$/s, '$1.')
    .replace(/^(Value is not a valid \w+|DateTime cannot represent an invalid [\w-]+)[: ].*$/s, '$1.')
    .replace(/^(Syntax Error: .*?\b(?:found|Unexpected) (?:Block)?String) ".*$/s, '$1.');
}

/** The HTTP status of a response whose only content is an error with this code; undefined: the usual status. */
export function httpStatusOf(code: unknown): number | undefined {
  return HTTP_STATUS[String(code)];
}

/** The HTTP headers of a response with such a status, by lower-case name. */
export function httpHeadersOf(extensions: { code?: unknown; retryAfter?: unknown } | undefined): Map<string, string> {
  const headers = new Map<string, string>();
  if (extensions?.code === 'UNAUTHENTICATED') headers.set('www-authenticate', 'X-Api-Key');
  if (typeof extensions?.retryAfter === 'number') headers.set('retry-after', String(Math.ceil(extensions.retryAfter)));
  return headers;
}

function isClientFault(code: unknown): boolean {
  return typeof code === 'string' && /^(GRAPHQL_|BAD_|PERSISTED_)/.test(code);
}

/** Apollo's codes of parsing, validation and persisted queries are kept, because clients need them. */
function clientCode(code: unknown): string {
  return typeof code === 'string' && /^(GRAPHQL|PERSISTED)_/.test(code) ? code : 'BAD_USER_INPUT';
}

/** Converts an error that is thrown before an operation runs. Apollo takes the HTTP status from its extensions. */
export function asGraphQLError(error: unknown): unknown {
  const domain = domainErrorOf(error);
  if (!domain) return error;
  const status = httpStatusOf(domain.extensions.code) ?? 400;
  return new GraphQLError(domain.message, {
    originalError: domain,
    extensions: { ...domain.extensions, http: { status, headers: httpHeadersOf(domain.extensions) } },
  });
}

/** Responds to errors of the body parser in GraphQL's error format: malformed JSON, too large, unknown charset. */
export function bodyErrorHandler(log: Log): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    const parserStatus = Number((error as { status?: unknown }).status);
    const status = parserStatus >= 400 && parserStatus < 500 ? parserStatus : 500;
    if (status === 500) log.error({ err: error, requestId: currentRequestId() }, 'GraphQL request failed');
    response.status(status).json({ errors: [BODY_ERRORS[status] ?? BODY_ERRORS[400]] });
  };
}

const BODY_ERRORS: Record<number, { message: string; extensions: { code: string } }> = {
  400: { message: 'The request body could not be read as JSON.', extensions: { code: 'BAD_USER_INPUT' } },
  413: { message: 'The request body is too large.', extensions: { code: 'PAYLOAD_TOO_LARGE' } },
  415: { message: 'Unsupported charset or content encoding.', extensions: { code: 'BAD_USER_INPUT' } },
  500: { message: 'Internal server error.', extensions: { code: 'INTERNAL_SERVER_ERROR' } },
};
