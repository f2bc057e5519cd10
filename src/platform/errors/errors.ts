/** Error codes for clients: `extensions.code` in GraphQL, an HTTP status and `code` in REST. */
export const ErrorCode = {
  UNAUTHENTICATED: 'UNAUTHENTICATED',
  FORBIDDEN: 'FORBIDDEN',
  NOT_FOUND: 'NOT_FOUND',
  BAD_USER_INPUT: 'BAD_USER_INPUT',
  CONFLICT: 'CONFLICT',
  RATE_LIMITED: 'RATE_LIMITED',
  BUDGET_EXCEEDED: 'BUDGET_EXCEEDED',
  QUERY_TOO_COMPLEX: 'QUERY_TOO_COMPLEX',
  PAYLOAD_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  UNAVAILABLE: 'UNAVAILABLE',
} as const;
export type ErrorCode = keyof typeof ErrorCode;

/** Messages by input member in camelCase. Errors about the whole input are under `nonFieldErrors`. */
export type FieldErrors = Record<string, string[]>;

export interface ErrorExtensions {
  code: ErrorCode;
  fields?: FieldErrors;
  /** Seconds until a retry makes sense. */
  retryAfter?: number;
}

/** An error whose message the caller may see. All other thrown errors are faults of the service. */
export class DomainError extends Error {
  readonly extensions: ErrorExtensions;

  constructor(code: ErrorCode, message: string, more: Omit<ErrorExtensions, 'code'> = {}) {
    super(message);
    this.name = new.target.name;
    this.extensions = { code, ...more };
  }
}

/** The request has no valid credentials. */
export class UnauthenticatedError extends DomainError {
  constructor(message = 'Authentication credentials were not provided or are wrong.') {
    super('UNAUTHENTICATED', message);
  }
}

/** The role of the viewer does not permit the operation. */
export class ForbiddenError extends DomainError {
  constructor(message = 'You do not have permission to perform this action.') {
    super('FORBIDDEN', message);
  }
}

/** Also thrown for resources that the viewer may not see, so that they are indistinguishable from missing ones. */
export class NotFoundError extends DomainError {
  constructor() {
    super('NOT_FOUND', 'Not found.');
  }
}

/** Input members are invalid. `fields` has the messages of each member. */
export class InvalidInputError extends DomainError {
  constructor(fields: FieldErrors) {
    super('BAD_USER_INPUT', 'The input is invalid.', { fields });
  }
}

/** A GraphQL operation is more complex than the limit. */
export class QueryTooComplexError extends DomainError {
  /** `over`: the limit and the quantity that it restricts. */
  constructor(over: string) {
    super('QUERY_TOO_COMPLEX', `The query is too complex: ${over}.`);
  }
}

/** The current state does not permit the operation. */
export class ConflictError extends DomainError {
  constructor(message: string) {
    super('CONFLICT', message);
  }
}

/** The project's spending limit does not cover a paid call or a run. */
export class BudgetExceededError extends DomainError {
  /** `use`: the limit and the amount spent, where they are known. */
  constructor(
    message = 'The spending limit of the project is reached.',
    readonly use: BudgetUse | null = null,
  ) {
    super('BUDGET_EXCEEDED', message);
  }
}

/** A spending limit and the amount spent so far, in US dollars. */
export interface BudgetUse {
  limitUsd: string;
  spentUsd: string;
}

/** The caller exceeded a request limit. */
export class RateLimitedError extends DomainError {
  /** `retryAfter`: seconds until a retry makes sense. */
  constructor(retryAfter: number, message = `Request was throttled. Expected available in ${retryAfter} seconds.`) {
    super('RATE_LIMITED', message, { retryAfter });
  }
}

/** The request body or file exceeds its size limit. */
export class PayloadTooLargeError extends DomainError {
  constructor(message: string) {
    super('PAYLOAD_TOO_LARGE', message);
  }
}

/** The service or a dependency is temporarily unavailable. */
export class UnavailableError extends DomainError {
  constructor(message = 'The service is temporarily unavailable.', retryAfter = 5) {
    super('UNAVAILABLE', message, { retryAfter });
  }
}
