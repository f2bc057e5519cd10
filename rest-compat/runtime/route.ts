import type { ErrorCode } from './errors.js';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type AuthKind = 'API_KEY' | 'API_KEY_ALONE' | 'NONE' | 'BEARER' | 'SERVICE';
export type BodyKind = 'JSON' | 'NONE' | 'RUN_INPUT' | 'GRAPH' | 'MULTIPART' | 'VERBATIM';
export type ReplyKind = 'JSON' | 'EMPTY' | 'ENVELOPE_STATUS' | 'CREATED_OR_ACCEPTED' | 'VERBATIM';

/** A row of the generated table: the HTTP part of an operation, and the operation with its fragments. */
export interface Route {
  readonly operation: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly status: number;
  readonly auth: AuthKind;
  readonly body: BodyKind;
  readonly reply: ReplyKind;
  /** Whether the header `Idempotency-Key` is heeded. */
  readonly idempotencyKey: boolean;
  /** Seconds for which anybody may keep a success; null: nobody may. */
  readonly maxAge: number | null;
  readonly errors: Partial<Record<ErrorCode, number>>;
  readonly document: string;
}

/** The `{name}`s of a path, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '');
}
