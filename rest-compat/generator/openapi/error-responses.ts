import { type ErrorCode, restErrors } from '../../runtime/errors.js';
import type { OperationSource } from '../operation-source.js';
import type { JsonSchema } from './json-schema.js';

export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  Error: {
    type: 'object',
    description: 'Why a request was refused.',
    properties: {
      detail: { type: 'string', description: 'One sentence for people.' },
      code: { type: 'string', description: 'One word for programs.' },
    },
    required: ['detail', 'code'],
  },
  InvalidInput: {
    type: 'object',
    description:
      'What is wrong with the input: one member for each field, nested ones with dots; `non_field_errors` is about the whole body.',
    additionalProperties: { type: 'array', items: { type: 'string' } },
  },
  ChatError: {
    type: 'object',
    description: 'Why a request was refused, as clients of the chat format read it.',
    properties: {
      error: {
        type: 'object',
        properties: {
          message: { type: 'string', description: 'For people.' },
          type: { type: 'string', description: 'The kind of fault, such as `invalid_request_error`.' },
          param: { type: ['string', 'null'], description: 'The member that is at fault.' },
          code: { type: ['string', 'null'], description: 'One word for programs.' },
        },
        required: ['message', 'type', 'param', 'code'],
      },
    },
    required: ['error'],
  },
  InternalError: {
    type: 'object',
    description: 'A fault of the service; quote the request id when you report it.',
    properties: { detail: { type: 'string' }, code: { type: 'string' }, request_id: { type: 'string' } },
    required: ['detail', 'code', 'request_id'],
  },
};

/** The refusals a route can answer with, by HTTP status; `envelope` is the one that an inner status turns into 400 or 402. */
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
      response(operation, codes, codes.some(code => REFUSED_BY_ENVELOPE.includes(code)) ? envelope : null),
    ]),
  );
}

const REFUSED_BY_ENVELOPE: readonly ErrorCode[] = ['BAD_USER_INPUT', 'BUDGET_EXCEEDED'];

function codesOf({ route, inputs }: OperationSource, hasEnvelope: boolean): ErrorCode[] {
  const isInside = route.path.includes('{') || route.body !== 'NONE';
  const codes: ErrorCode[] = ['NOT_ACCEPTABLE', 'RATE_LIMITED', 'INTERNAL_SERVER_ERROR', 'UNAVAILABLE'];
  if (inputs.some(input => input.place !== 'path')) codes.push('BAD_USER_INPUT');
  if (route.idempotencyKey) codes.push('BAD_USER_INPUT', 'CONFLICT', 'UNPROCESSABLE');
  if (route.body !== 'NONE') codes.push('PARSE_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (route.auth !== 'NONE') codes.push('UNAUTHENTICATED');
  if (isInside && route.method !== 'GET') codes.push('FORBIDDEN', 'CONFLICT');
  if (route.path.includes('{')) codes.push('NOT_FOUND');
  if (hasEnvelope) codes.push('BUDGET_EXCEEDED');
  return [...new Set([...codes, ...(Object.keys(route.errors) as ErrorCode[])])].toSorted();
}

function response({ route }: OperationSource, codes: readonly ErrorCode[], envelope: JsonSchema | null): JsonSchema {
  const names = route.path.startsWith('/v1/') ? ['ChatError'] : [...new Set(codes.map(schemaName))];
  const schemas: JsonSchema[] = names.map(name => ({ $ref: `#/components/schemas/${name}` }));
  if (envelope) schemas.push(envelope);
  return {
    description: codes.map(code => restErrors[code].detail).join(' '),
    content: { 'application/json': { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } } },
  };
}

function schemaName(code: ErrorCode): string {
  if (code === 'BAD_USER_INPUT') return 'InvalidInput';
  return code === 'INTERNAL_SERVER_ERROR' ? 'InternalError' : 'Error';
}
