import type { Route } from '../../runtime/route.js';
import type { JsonSchema } from './json-schema.js';

/** What a route that heeds `Idempotency-Key` says of it: the header of the request, and that of a replayed answer. */
export function idempotencyParameters({ idempotencyKey }: Route): JsonSchema[] {
  if (!idempotencyKey) return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Makes it safe to send the request again: with the same key, the same request is answered with the first success for 24 hours. 409 while the first is under way, 422 for another request.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
      example: '5f0c6a52-order-1187',
    },
  ];
}

export function idempotencyHeaders({ idempotencyKey }: Route): Record<string, JsonSchema> {
  if (!idempotencyKey) return {};
  const description = '`true` when this is the first answer again.';
  return { 'Idempotent-Replayed': { description, schema: { type: 'string', enum: ['true'] } } };
}
