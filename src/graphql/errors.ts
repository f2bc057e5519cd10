import { randomUUID } from 'node:crypto';
import type { ErrorRequestHandler } from 'express';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { isDataFault, isRetryableDatabaseError } from '../platform/database/database-errors.js';
import { DomainError, InvalidInputError, UnavailableError } from '../platform/errors/errors.js';
import type { Log } from '../platform/logging/log.js';
import { currentRequestId } from '../platform/requests/request-id.js';
import { note } from '../platform/tracing/work-context.js';

/** HTTP statuses of whole-request failures; a resolver's error travels in a 200 as GraphQL has it. */
const HTTP_STATUS: Record<string, number> = { UNAUTHENTICATED: 401, RATE_LIMITED: 429, UNAVAILABLE: 503 };

/**
 * What a caller may hear of an error that was thrown: domain errors as they are, data that PostgreSQL refuses as bad
 * input, an absent database as unavailable. Undefined: a fault of ours.
 */
export function domainErrorOf(error: unknown): DomainError | undefined {
  for (
    let cause = error;
    cause;
    cause = (cause as { originalError?: unknown; cause?: unknown }).originalError ?? (cause as Error).cause
  ) {
    if (cause instanceof DomainError) return cause;
    if (isRetryableDatabaseError(cause))
      return new UnavailableError('The database is away or busy. Try again in a moment.');
    if (isShortage(cause))
      return new UnavailableError('The service is short of room or of file handles. Try again later.');
    if (isDataFault(cause))
      return new InvalidInputError({ nonFieldErrors: ['A value is out of the range that can be stored.'] });
  }
  return undefined;
}

/** The disk is full, or all descriptors are in use: what was asked for may be done later. */
function isShortage(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'].includes(code);
}

/** Apollo's `formatError`: domain errors pass, faults of ours are logged and answered without a word about them. */
export function formatterOf(log: Log, isIntrospectable: boolean) {
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
    log.error({ err: original, requestId }, 'a GraphQL operation failed');
    return {
      ...formatted,
      message: 'Internal server error.',
      extensions: { code: 'INTERNAL_SERVER_ERROR', requestId },
    };
  };
  return (formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError => {
    const told = format(formatted, thrown);
    note({ inner: String(told.extensions?.code) });
    // Suggestions name what is in the schema.
    return isIntrospectable ? told : { ...told, message: told.message.replace(/ Did you mean .*$/s, '') };
  };
}

const REASON = /; (Field "\w+" (?:is not defined by type "\w+"|of required type "[\w![\]]+" was not provided)\.).*$/s;

/** GraphQL quotes the value that it refuses, and a value may be a secret: names and expectations are what is left. */
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

export function httpStatusOf(code: unknown): number | undefined {
  return HTTP_STATUS[String(code)];
}

/** What HTTP says beside such a status, by header name in lower case. */
export function httpHeadersOf(extensions: { code?: unknown; retryAfter?: unknown } | undefined): Map<string, string> {
  const headers = new Map<string, string>();
  if (extensions?.code === 'UNAUTHENTICATED') headers.set('www-authenticate', 'X-Api-Key');
  if (typeof extensions?.retryAfter === 'number') headers.set('retry-after', String(Math.ceil(extensions.retryAfter)));
  return headers;
}

function isClientFault(code: unknown): boolean {
  return typeof code === 'string' && /^(GRAPHQL_|BAD_|PERSISTED_)/.test(code);
}

/** Parse, validation and variable errors are all bad input to a caller; persisted queries have a protocol of their own. */
function clientCode(code: unknown): string {
  return typeof code === 'string' && code.startsWith('PERSISTED_') ? code : 'BAD_USER_INPUT';
}

/** For what is thrown before an operation runs: Apollo takes the HTTP status from the extensions. */
export function asGraphQLError(error: unknown): unknown {
  const domain = domainErrorOf(error);
  if (!domain) return error;
  const status = httpStatusOf(domain.extensions.code) ?? 400;
  return new GraphQLError(domain.message, {
    originalError: domain,
    extensions: { ...domain.extensions, http: { status, headers: httpHeadersOf(domain.extensions) } },
  });
}

/** Faults of the body, in GraphQL's shape: malformed JSON, too large, an unknown charset. Never a page, never a stack. */
export function bodyErrorHandler(log: Log): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    const given = Number((error as { status?: unknown }).status);
    const status = given >= 400 && given < 500 ? given : 500;
    if (status === 500) log.error({ err: error, requestId: currentRequestId() }, 'a GraphQL request failed');
    response.status(status).json({ errors: [BODY_ERRORS[status] ?? BODY_ERRORS[400]] });
  };
}

const BODY_ERRORS: Record<number, { message: string; extensions: { code: string } }> = {
  400: { message: 'The request body could not be read as JSON.', extensions: { code: 'BAD_USER_INPUT' } },
  413: { message: 'The request body is too large.', extensions: { code: 'PAYLOAD_TOO_LARGE' } },
  415: { message: 'Unsupported charset or content encoding.', extensions: { code: 'BAD_USER_INPUT' } },
  500: { message: 'Internal server error.', extensions: { code: 'INTERNAL_SERVER_ERROR' } },
};
