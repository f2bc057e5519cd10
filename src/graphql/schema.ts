import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync, type NonEmptyArray } from 'type-graphql';
import type { RequestContext } from '../modules/accounts/request-context.js';
import type { ResolverClass } from '../modules/module.js';
import { RESOLVERS } from '../modules/registry.js';
import { DateTime } from '../platform/json/scalars.js';
import { makeResolversPlain } from './plain-resolvers.js';

/** Returns the instance of a resolver class, which its module created. */
export type ResolverSource = (resolver: ResolverClass) => object;

/** Opens the event stream of a subscription topic. */
export type Subscribe = (topic: string, request: { args: Record<string, unknown>; context: RequestContext }) => unknown;

export function buildScenariumSchema(instanceOf: ResolverSource, subscribe: Subscribe): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: [...RESOLVERS] as unknown as NonEmptyArray<new () => object>,
    container: { get: resolver => instanceOf(resolver as ResolverClass) },
    // The modules provide the streams of subscriptions, so nothing is published here.
    pubSub: {
      publish: () => {},
      subscribe: (topic: string, request: unknown) => subscribe(topic, request as Parameters<Subscribe>[1]) as never,
    },
    scalarsMap: [{ type: Date, scalar: DateTime }],
    // Services validate input; class-validator does not support JSON scalars.
    validate: false,
    // graphql-js validates the schema at the first operation, and `npm run generate` does so during the build.
    skipCheck: true,
  });
  makeResolversPlain(schema, resolver => instanceOf(resolver as ResolverClass));
  return schema;
}
