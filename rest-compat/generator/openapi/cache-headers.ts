import type { Route } from '../../runtime/route.js';
import type { JsonSchema } from './json-schema.js';

/** The request header of a route with `maxAge`. */
export function cacheParameters({ maxAge }: Route): JsonSchema[] {
  if (maxAge === null) return [];
  return [
    {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'ETags of cached responses. If one of them is current, the response is 304 without a body.',
      schema: { type: 'string' },
      example: '"c5zWZyHsYxVZ5R8Jc0lyfhzTbQe"',
    },
  ];
}

export function cacheHeaders({ maxAge }: Route): Record<string, JsonSchema> {
  if (maxAge === null) return {};
  return {
    ETag: { description: 'Identifies this version of the response.', schema: { type: 'string' } },
    'Cache-Control': {
      description: `Without credentials: \`public, max-age=${maxAge}\` (seconds). With credentials: \`private, no-cache\`.`,
      schema: { type: 'string' },
    },
  };
}

export function cacheResponses({ maxAge }: Route): Record<string, JsonSchema> {
  return maxAge === null ? {} : { 304: { description: 'Not modified: the cached response is current. No body.' } };
}
