import type { AuthKind, Route } from '../../runtime/route.js';
import type { OperationSource } from '../operation-source.js';
import type { JsonSchema } from './json-schema.js';

const schemes: Record<string, JsonSchema> = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'An API key of a user.' },
  session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of a session.' },
  bearerKey: { type: 'http', scheme: 'bearer', description: 'An API key of a user as bearer token.' },
  serviceToken: { type: 'http', scheme: 'bearer', description: 'The token of the external execution service.' },
};

const schemesOf: Record<AuthKind, readonly string[]> = {
  API_KEY: ['apiKey', 'session'],
  API_KEY_ONLY: ['apiKey'],
  NONE: [],
  BEARER: ['bearerKey'],
  ANY_KEY: ['bearerKey', 'apiKey'],
  SERVICE: ['serviceToken'],
};

/** One requirement per scheme: any one of them is sufficient. */
export function securityOf(route: Route): JsonSchema[] {
  return schemesOf[route.auth].map(name => ({ [name]: [] }));
}

export function securitySchemes(operations: readonly OperationSource[]): Record<string, JsonSchema> {
  const used = new Set(operations.flatMap(({ route }) => schemesOf[route.auth]));
  return Object.fromEntries(Object.entries(schemes).filter(([name]) => used.has(name)));
}
