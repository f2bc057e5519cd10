/** Codes that reach clients: `extensions.code` in GraphQL, an HTTP status and `code` in REST. */
export type ErrorCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'BAD_USER_INPUT'
  | 'CONFLICT'
  | 'RATE_LIMITED'
  | 'BUDGET_EXCEEDED'
  | 'QUERY_TOO_COMPLEX'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNAVAILABLE';

/** Messages by input member, in the API's camelCase names; errors about the whole under `nonFieldErrors`. */
export type FieldErrors = Record<string, string[]>;

export interface ErrorExtensions {
  code: ErrorCode;
  fields?: FieldErrors;
  /** Seconds after which a new try makes sense. */
  retryAfter?: number;
}

/** A refusal that the caller is meant to see. Everything else that is thrown is a fault of ours. */
export class DomainError extends Error {
  readonly extensions: ErrorExtensions;

  constructor(code: ErrorCode, message: string, more: Omit<ErrorExtensions, 'code'> = {}) {
    super(message);
    this.name = new.target.name;
    this.extensions = { code, ...more };
  }
}

export class UnauthenticatedError extends DomainError {
  constructor(message = 'Authentication credentials were not provided or are wrong.') {
    super('UNAUTHENTICATED', message);
  }
}

export class ForbiddenError extends DomainError {
  constructor(message = 'You do not have permission to perform this action.') {
    super('FORBIDDEN', message);
  }
}

/** Also the answer for what exists but is not the viewer's: the two are told apart by nobody. */
export class NotFoundError extends DomainError {
  constructor() {
    super('NOT_FOUND', 'Not found.');
  }
}

export class InvalidInputError extends DomainError {
  constructor(fields: FieldErrors) {
    super('BAD_USER_INPUT', 'The input is invalid.', { fields });
  }
}

/** A GraphQL operation that weighs more than one may. */
export class QueryTooComplexError extends DomainError {
  /** `over`: the limit, and what it bounds. */
  constructor(over: string) {
    super('QUERY_TOO_COMPLEX', `The query is too complex: ${over}.`);
  }
}

export class ConflictError extends DomainError {
  constructor(message: string) {
    super('CONFLICT', message);
  }
}

/** A paid call or a run that the project's spending limit does not cover. */
export class BudgetExceededError extends DomainError {
  constructor(message = 'The spending limit of the project is reached.') {
    super('BUDGET_EXCEEDED', message);
  }
}

export class RateLimitedError extends DomainError {
  /** `retryAfter`: seconds until the next try makes sense. */
  constructor(retryAfter: number, message = `Request was throttled. Expected available in ${retryAfter} seconds.`) {
    super('RATE_LIMITED', message, { retryAfter });
  }
}

export class PayloadTooLargeError extends DomainError {
  constructor(message: string) {
    super('PAYLOAD_TOO_LARGE', message);
  }
}

export class UnavailableError extends DomainError {
  constructor(message = 'The service is temporarily unavailable.', retryAfter = 5) {
    super('UNAVAILABLE', message, { retryAfter });
  }
}
