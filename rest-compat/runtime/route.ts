import type { ErrorCode } from './errors.js';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
// rest-compat/directives.graphql describes these values in RestAuth, RestBody and RestReply.
export type AuthKind = 'API_KEY' | 'API_KEY_ONLY' | 'NONE' | 'BEARER' | 'ANY_KEY' | 'SERVICE';
export type BodyKind = 'JSON' | 'NONE' | 'RUN_INPUT' | 'GRAPH' | 'MULTIPART' | 'VERBATIM';
export type ReplyKind = 'JSON' | 'EMPTY' | 'ENVELOPE_STATUS' | 'CREATED_OR_ACCEPTED' | 'VERBATIM';

/** A row of the generated route table: the arguments of `@rest` and the GraphQL operation of the route. */
export interface Route {
  /** Name of the operation in `document`. */
  readonly operation: string;
  readonly method: HttpMethod;
  readonly path: string;
  /** HTTP status of a success. */
  readonly status: number;
  readonly auth: AuthKind;
  readonly body: BodyKind;
  readonly reply: ReplyKind;
  /** Whether the header `Idempotency-Key` is supported. */
  readonly idempotencyKey: boolean;
  /** How long caches may store a success, in seconds. Null: no caching headers. */
  readonly maxAge: number | null;
  /** Error codes for which this route uses another HTTP status than the default. */
  readonly errors: Partial<Record<ErrorCode, number>>;
  /** Text of the operation and its fragments. */
  readonly document: string;
}

/** The names of the parameters `{name}` and `{+name}` of a path, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{\+?(\w+)\}/g)].map(match => match[1] ?? '');
}
