/** The REST form of an error code: HTTP status, `code`, and the default `detail` for an error without a message. */
export interface RestErrorKind {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}

/** REST errors by GraphQL `extensions.code`. The codes from PARSE_ERROR on occur only in the REST layer. */
export const restErrors = {
  UNAUTHENTICATED: {
    status: 401,
    code: 'not_authenticated',
    detail: 'Authentication credentials were not provided or are not valid.',
  },
  FORBIDDEN: {
    status: 403,
    code: 'permission_denied',
    detail: 'You do not have permission to perform this action.',
  },
  NOT_FOUND: { status: 404, code: 'not_found', detail: 'Not found.' },
  BAD_USER_INPUT: { status: 400, code: 'invalid', detail: 'Invalid input.' },
  CONFLICT: { status: 409, code: 'conflict', detail: 'The request conflicts with the current state.' },
  RATE_LIMITED: { status: 429, code: 'rate_limited', detail: 'Request was throttled.' },
  BUDGET_EXCEEDED: { status: 402, code: 'budget_exceeded', detail: 'The spending limit of the project is reached.' },
  QUERY_TOO_COMPLEX: { status: 400, code: 'query_too_complex', detail: 'The query is too complex.' },
  PAYLOAD_TOO_LARGE: { status: 413, code: 'payload_too_large', detail: 'The request body is too large.' },
  UNAVAILABLE: { status: 503, code: 'unavailable', detail: 'Service temporarily unavailable. Try again later.' },
  INTERNAL_SERVER_ERROR: { status: 500, code: 'internal_error', detail: 'Internal server error.' },
  PARSE_ERROR: { status: 400, code: 'parse_error', detail: 'The request body could not be read.' },
  METHOD_NOT_ALLOWED: { status: 405, code: 'method_not_allowed', detail: 'Method not allowed.' },
  NOT_ACCEPTABLE: {
    status: 406,
    code: 'not_acceptable',
    detail: 'Could not satisfy the request Accept header. Available: application/json.',
  },
  REQUEST_TIMEOUT: { status: 408, code: 'request_timeout', detail: 'The request did not arrive in time.' },
  GONE: { status: 410, code: 'gone', detail: 'The resource no longer exists.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, code: 'unsupported_media_type', detail: 'Unsupported media type.' },
  HEADERS_TOO_LARGE: { status: 431, code: 'headers_too_large', detail: 'The request headers are too large.' },
  UNPROCESSABLE: { status: 422, code: 'unprocessable', detail: 'The request cannot be processed.' },
} as const satisfies Record<string, RestErrorKind>;

export type ErrorCode = keyof typeof restErrors;
export type FieldMessages = Record<string, readonly string[]>;

/** An error of the REST layer, in the same form as the errors of resolvers. */
export class RestFault extends Error {
  readonly extensions: { readonly code: ErrorCode; readonly fields?: FieldMessages };

  constructor(code: ErrorCode, message: string = restErrors[code].detail, fields?: FieldMessages) {
    super(message);
    this.extensions = fields ? { code, fields } : { code };
  }
}

export interface RestError extends RestErrorKind {
  readonly fields?: FieldMessages | undefined;
  /** Value of the header `Retry-After` in seconds. */
  readonly retryAfter?: number | undefined;
}

/** The REST response to a thrown error; null for an error without a known code, which is a 500 without details. */
export function restErrorOf(error: unknown, overrides: Partial<Record<ErrorCode, number>> = {}): RestError | null {
  const { message, extensions } = errorParts(error);
  const code = extensions.code;
  if (typeof code !== 'string' || !isErrorCode(code) || code === 'INTERNAL_SERVER_ERROR') return null;
  const kind = restErrors[code];
  return {
    status: overrides[code] ?? kind.status,
    code: kind.code,
    detail: message || kind.detail,
    fields: fieldsOf(code, extensions.fields, message || kind.detail),
    retryAfter: retryAfterOf(code, extensions.retryAfter),
  };
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(restErrors, code);
}

function errorParts(error: unknown): { message: string; extensions: Record<string, unknown> } {
  if (typeof error !== 'object' || error === null) return { message: '', extensions: {} };
  const message = 'message' in error && typeof error.message === 'string' ? error.message : '';
  const extensions = 'extensions' in error && typeof error.extensions === 'object' ? error.extensions : null;
  return { message, extensions: { ...extensions } };
}

/** Invalid input always has messages by field. A message about the whole body has the key `non_field_errors`. */
function fieldsOf(code: ErrorCode, fields: unknown, detail: string): FieldMessages | undefined {
  if (code !== 'BAD_USER_INPUT') return undefined;
  if (typeof fields !== 'object' || fields === null || Object.keys(fields).length === 0) {
    return { non_field_errors: [detail] };
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, messages]) => [name, Array.isArray(messages) ? messages : [String(messages)]]),
  );
}

function retryAfterOf(code: ErrorCode, seconds: unknown): number | undefined {
  if (typeof seconds === 'number' && Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds));
  return code === 'RATE_LIMITED' || code === 'UNAVAILABLE' ? 1 : undefined;
}
