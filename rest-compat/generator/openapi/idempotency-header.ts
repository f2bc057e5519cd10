import type { Route } from '../../runtime/route.js';
import type { JsonSchema } from './json-schema.js';

/** The request header of a route that supports `Idempotency-Key`. */
export function idempotencyParameters({ idempotencyKey }: Route): JsonSchema[] {
  if (!idempotencyKey) return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Makes it safe to repeat the request: for 24 hours, the same request with the same key returns the first success. 409 while the first request is in progress, 422 for a different request with this key.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
      example: '5f0c6a52-order-1187',
    },
  ];
}

export function idempotencyHeaders({ idempotencyKey }: Route): Record<string, JsonSchema> {
  if (!idempotencyKey) return {};
  const description = '`true` when this response repeats the response to an earlier request.';
  return { 'Idempotent-Replayed': { description, schema: { type: 'string', enum: ['true'] } } };
}
