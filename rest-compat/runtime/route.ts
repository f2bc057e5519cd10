import type { ErrorCode } from './errors.js';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type AuthKind = 'API_KEY' | 'API_KEY_ONLY' | 'NONE' | 'BEARER' | 'SERVICE';
export type BodyKind = 'JSON' | 'NONE' | 'RUN_INPUT' | 'GRAPH' | 'MULTIPART' | 'VERBATIM';
export type ReplyKind = 'JSON' | 'EMPTY' | 'ENVELOPE_STATUS' | 'CREATED_OR_ACCEPTED' | 'VERBATIM';

/** A row of the generated route table: the arguments of `@rest`, and the operation with its fragments. */
export interface Route {
  readonly operation: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly status: number;
  readonly auth: AuthKind;
  readonly body: BodyKind;
  readonly reply: ReplyKind;
  /** Whether the header `Idempotency-Key` is supported. */
  readonly idempotencyKey: boolean;
  /** Seconds that caches may store a success; null without caching headers. */
  readonly maxAge: number | null;
  readonly errors: Partial<Record<ErrorCode, number>>;
  readonly document: string;
}

/** The names of the parameters `{name}` of a path, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '');
}
