import { MESSAGES_PATH } from '../../runtime/error-object.js';
import { type ErrorCode, restErrors } from '../../runtime/errors.js';
import type { OperationSource } from '../operation-source.js';
import type { JsonSchema } from './json-schema.js';
import { errorHeaders } from './response-headers.js';

export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  Error: {
    type: 'object',
    description: 'The reason why a request was rejected.',
    properties: {
      detail: { type: 'string', description: 'Human-readable message.' },
      code: { type: 'string', description: 'Machine-readable code, such as `not_found`.' },
    },
    required: ['detail', 'code'],
  },
  InvalidInput: {
    type: 'object',
    description:
      'Errors by member of the input. Paths of nested members contain dots; `non_field_errors` concerns the whole body.',
    additionalProperties: { type: 'array', items: { type: 'string' } },
  },
  ChatError: {
    type: 'object',
    description: 'The reason why a request was rejected, in the error format of OpenAI-compatible APIs.',
    properties: {
      error: {
        type: 'object',
        description: 'The error.',
        properties: {
          message: { type: 'string', description: 'Human-readable message.' },
          type: { type: 'string', description: 'Kind of the error, such as `invalid_request_error`.' },
          param: { type: ['string', 'null'], description: 'The invalid member of the request; null without one.' },
          code: { type: ['string', 'null'], description: 'Machine-readable code, such as `invalid_value`.' },
        },
        required: ['message', 'type', 'param', 'code'],
      },
    },
    required: ['error'],
  },
  MessageError: {
    type: 'object',
    description: 'The reason why a request was rejected, in the error format of the Messages API of Anthropic.',
    properties: {
      type: { type: 'string', description: 'Always `error`.' },
      error: {
        type: 'object',
        description: 'The error.',
        properties: {
          type: { type: 'string', description: 'Kind of the error, such as `invalid_request_error`.' },
          message: { type: 'string', description: 'Human-readable message.' },
        },
        required: ['type', 'message'],
      },
    },
    required: ['type', 'error'],
  },
  InternalError: {
    type: 'object',
    description: 'An internal error of the service. Include the request id when you report it.',
    properties: {
      detail: { type: 'string', description: 'Human-readable message.' },
      code: { type: 'string', description: 'Always `internal_error`.' },
      request_id: { type: 'string', description: 'Id of the request, equal to the header `X-Request-Id`.' },
    },
    required: ['detail', 'code', 'request_id'],
  },
};

/** The error responses of a route by HTTP status. `envelope` is the schema of an ENVELOPE_STATUS reply, also used with 400 and 402. */
export function errorResponses(operation: OperationSource, envelope: JsonSchema | null): Record<string, JsonSchema> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(operation, envelope !== null)) {
    const status = operation.route.errors[code] ?? restErrors[code].status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const sorted = [...byStatus].toSorted(([a], [b]) => a - b);
  return Object.fromEntries(
    sorted.map(([status, codes]) => [
      String(status),
      {
        ...response(operation, codes, codes.some(code => ENVELOPE_CODES.includes(code)) ? envelope : null),
        ...errorHeaders(status),
      },
    ]),
  );
}

/** Errors that an ENVELOPE_STATUS route reports in its envelope. */
const ENVELOPE_CODES: readonly ErrorCode[] = ['BAD_USER_INPUT', 'BUDGET_EXCEEDED'];

/** The errors that a route can return, derived from its inputs, body and credentials. */
function codesOf({ route, inputs }: OperationSource, hasEnvelope: boolean): ErrorCode[] {
  const concernsRecord = route.path.includes('{') || route.body !== 'NONE';
  const codes: ErrorCode[] = ['NOT_ACCEPTABLE', 'RATE_LIMITED', 'INTERNAL_SERVER_ERROR', 'UNAVAILABLE'];
  if (inputs.some(input => input.location !== 'path')) codes.push('BAD_USER_INPUT');
  if (route.idempotencyKey) codes.push('BAD_USER_INPUT', 'CONFLICT', 'UNPROCESSABLE');
  if (route.body !== 'NONE') codes.push('PARSE_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (route.auth !== 'NONE') codes.push('UNAUTHENTICATED');
  if (concernsRecord && route.method !== 'GET') codes.push('FORBIDDEN', 'CONFLICT');
  if (route.path.includes('{')) codes.push('NOT_FOUND');
  if (hasEnvelope) codes.push('BUDGET_EXCEEDED');
  return [...new Set([...codes, ...(Object.keys(route.errors) as ErrorCode[])])].toSorted();
}

function response({ route }: OperationSource, codes: readonly ErrorCode[], envelope: JsonSchema | null): JsonSchema {
  const names = [...new Set(codes.map(code => schemaName(route.path, code)))];
  const schemas: JsonSchema[] = names.map(name => ({ $ref: `#/components/schemas/${name}` }));
  if (envelope) schemas.push(envelope);
  return {
    description: codes.map(code => restErrors[code].detail).join(' '),
    content: { 'application/json': { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } } },
  };
}

function schemaName(path: string, code: ErrorCode): string {
  if (path === MESSAGES_PATH) return 'MessageError';
  if (path.startsWith('/v1/')) return 'ChatError';
  if (code === 'BAD_USER_INPUT') return 'InvalidInput';
  return code === 'INTERNAL_SERVER_ERROR' ? 'InternalError' : 'Error';
}
