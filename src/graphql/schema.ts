import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync, type NonEmptyArray } from 'type-graphql';
import type { RequestContext } from '../modules/accounts/request-context.js';
import type { ResolverClass } from '../modules/module.js';
import { RESOLVERS } from '../modules/registry.js';
import { DateTime } from '../platform/json/scalars.js';
import { makeResolversPlain } from './plain-resolvers.js';

/** Gives the instance of a resolver class, created by its module. */
export type ResolverSource = (resolver: ResolverClass) => object;

/** Opens the stream of a subscription, by the name of its topic. */
export type Subscribe = (topic: string, request: { args: Record<string, unknown>; context: RequestContext }) => unknown;

export function buildScenariumSchema(instanceOf: ResolverSource, subscribe: Subscribe): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: [...RESOLVERS] as unknown as NonEmptyArray<new () => object>,
    container: { get: resolver => instanceOf(resolver as ResolverClass) },
    // Streams come from the resources' own sources, which read what changed; nothing is ever published through here.
    pubSub: {
      publish: () => {},
      subscribe: (topic: string, request: unknown) => subscribe(topic, request as Parameters<Subscribe>[1]) as never,
    },
    scalarsMap: [{ type: Date, scalar: DateTime }],
    // Input is checked by the services; class-validator would trip over JSON scalars.
    validate: false,
    // Whether the schema is sound is told by the first operation, and before by what writes schema.graphql.
    skipCheck: true,
  });
  makeResolversPlain(schema, resolver => instanceOf(resolver as ResolverClass));
  return schema;
}
