import type { Route } from '../../runtime/route.js';
import type { JsonSchema } from './json-schema.js';

/** What a route with `maxAge` says of it: the header of the request, those of the answer, and that there is a 304. */
export function cacheParameters({ maxAge }: Route): JsonSchema[] {
  if (maxAge === null) return [];
  return [
    {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'Tags of answers at hand: 304 without a body when one of them still holds.',
      schema: { type: 'string' },
      example: '"c5zWZyHsYxVZ5R8Jc0lyfhzTbQe"',
    },
  ];
}

export function cacheHeaders({ maxAge }: Route): Record<string, JsonSchema> {
  if (maxAge === null) return {};
  return {
    ETag: { description: 'Tag of this answer.', schema: { type: 'string' } },
    'Cache-Control': {
      description: `Without credentials anybody may keep the answer for ${maxAge} s; with them only its caller, who asks each time.`,
      schema: { type: 'string' },
    },
  };
}

export function cacheResponses({ maxAge }: Route): Record<string, JsonSchema> {
  return maxAge === null ? {} : { 304: { description: 'The answer at hand still holds; there is no body.' } };
}
