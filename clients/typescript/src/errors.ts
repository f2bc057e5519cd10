/** Base class of all errors of this package. An aborted call rejects with the reason of its signal instead. */
export class ScenariumError extends Error {
  override readonly name: string = 'ScenariumError';
}

/** The service could not be reached, the connection ended before the response, or another server responded. */
export class ConnectionError extends ScenariumError {
  override readonly name = 'ConnectionError';
}

export interface ApiErrorDetails {
  /** HTTP status; 200 for an error in a stream. */
  readonly status: number;
  /** Machine-readable code, for example `NOT_FOUND`. Null if the response has none. */
  readonly code: string | null;
  /** Messages by member of the input. Empty unless the input is invalid. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Id of the request. Include it when you report an error of the service. */
  readonly requestId: string | null;
}

/** The service rejected a request. */
export class ApiError extends ScenariumError implements ApiErrorDetails {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string | null;
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly requestId: string | null;

  constructor(message: string, { status, code, fields, requestId }: ApiErrorDetails) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.requestId = requestId;
  }
}

/** One reason of a refusal. */
export interface RefusalReason {
  readonly code: string;
  readonly message: string;
  /** Names of the members from the input to the faulty one. Empty for the whole input. */
  readonly path: readonly string[];
}

/** The service understood a mutation and refused it, for example because the input or the graph is invalid. */
export class RefusedError extends ScenariumError {
  override readonly name = 'RefusedError';
  /** Code of the first reason, for example `BUDGET_EXCEEDED`. */
  readonly code: string;
  readonly reasons: readonly RefusalReason[];

  constructor(reasons: readonly [RefusalReason, ...RefusalReason[]]) {
    super(reasons.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join('; '));
    this.code = reasons[0].code;
    this.reasons = reasons;
  }

  /** Messages by member of the input; members of members are joined by dots, and the whole input is the empty text. */
  get fields(): Record<string, string[]> {
    const fields: Record<string, string[]> = {};
    for (const { path, message } of this.reasons) {
      const name = path.join('.');
      fields[name] = [...(fields[name] ?? []), message];
    }
    return fields;
  }
}

/** A run ended without success. */
export class RunFailedError extends ScenariumError {
  override readonly name = 'RunFailedError';
  readonly runId: string;
  /** Code of the error, for example `timeout`; `cancelled` for a cancelled run. */
  readonly code: string;

  constructor(runId: string, code: string, message: string) {
    super(`Run ${runId}: ${message}`);
    this.runId = runId;
    this.code = code;
  }
}
