import { getNamedType, isObjectType } from 'graphql';
import { etagPathOf } from '../../runtime/etag.js';
import type { OperationSource } from '../operation-source.js';
import { cacheHeaders } from './cache-headers.js';
import { idempotencyHeaders } from './idempotency-header.js';
import type { JsonSchema } from './json-schema.js';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** The headers of responses by name, as components. */
export const headerComponents: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': { description: 'Id of the request, also in the log of the service.', schema: text },
  'RateLimit-Policy': {
    description: 'The rate limit of the API key: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers).',
    schema: text,
    example: '"key";q=600;w=60',
  },
  RateLimit: {
    description: 'The rate limit now: `r` requests are left for `t` seconds.',
    schema: text,
    example: '"key";r=599;t=42',
  },
  'X-RateLimit-Limit': { description: 'Requests of the API key in 60 seconds.', schema: count, example: 600 },
  'X-RateLimit-Remaining': { description: 'Requests that are left.', schema: count, example: 599 },
  'X-RateLimit-Reset': {
    description: 'Time at which the limit is reset, in seconds since 1970.',
    schema: count,
    example: 1_772_444_460,
  },
  'Retry-After': { description: 'Seconds after which the request can be repeated.', schema: count, example: 5 },
  'WWW-Authenticate': { description: 'The credentials that the route requires.', schema: text, example: 'X-Api-Key' },
  'X-Scenarium-Warnings': {
    description:
      'Unknown members and parameters, which are ignored: a JSON array of objects with `path` and `message`. Absent without warnings.',
    content: {
      'application/json': {
        schema: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              path: { type: 'string', description: 'Path of the member in the request.' },
              message: { type: 'string', description: 'The warning.' },
            },
            required: ['path', 'message'],
          },
        },
        example: [{ path: 'naem', message: 'unknown member "naem"; did you mean "name"?' }],
      },
    },
  },
  'X-Scenarium-Shortened': {
    description: 'Ids of items without their large values, separated by commas. Absent when all items are complete.',
    schema: text,
  },
};

const RATE_LIMIT = ['RateLimit-Policy', 'RateLimit', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

function references(names: readonly string[]): Record<string, JsonSchema> {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
}

const ETAG = {
  description: 'The number of the revision that was saved last, for the header `If-Match` of a change.',
  schema: text,
  example: '"7"',
};

/** The headers of a success. */
export function successHeaders(operation: OperationSource): Record<string, JsonSchema> {
  const { route, body } = operation;
  const type = getNamedType(body.type);
  const isPage = isObjectType(type) && type.getFields().items !== undefined;
  return {
    ...references([
      'X-Request-Id',
      // Only API keys have a rate limit.
      ...(route.auth === 'NONE' || route.auth === 'SERVICE' ? [] : RATE_LIMIT),
      ...(canBeStrict(operation) ? ['X-Scenarium-Warnings'] : []),
      ...(isPage ? ['X-Scenarium-Shortened'] : []),
    ]),
    ...idempotencyHeaders(route),
    ...cacheHeaders(route),
    ...(etagPathOf(body.field) ? { ETag: ETAG } : {}),
  };
}

/** The headers that a client needs in order to react to an error. Others, such as the request id, are declared for successes. */
export function errorHeaders(status: number): { headers: Record<string, JsonSchema> } | undefined {
  const names = ERROR_HEADERS[status];
  return names && { headers: references(names) };
}

const ERROR_HEADERS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['RateLimit', 'Retry-After'],
  500: ['X-Request-Id'],
  503: ['Retry-After'],
};

/** Whether the request has members or parameters that can be unknown. */
export function canBeStrict({ inputs, route }: OperationSource): boolean {
  return route.path.startsWith('/api/') && inputs.some(({ location }) => location === 'body' || location === 'query');
}
