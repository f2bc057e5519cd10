import { type GraphQLSchema, getNullableType, isInputObjectType } from 'graphql';
import { buildSchemaSync, type NonEmptyArray } from 'type-graphql';
import type { RequestContext } from '../modules/accounts/request-context.js';
import type { ResolverClass } from '../modules/module.js';
import { RESOLVERS } from '../modules/registry.js';
import { DateTime } from '../platform/json/scalars.js';
import { addGlobalIdResolvers, withGlobalIds } from './global-ids.js';
import { addPayloadResolvers } from './payload-resolvers.js';
import { makeResolversPlain } from './plain-resolvers.js';

/** Returns the instance of a resolver class, which its module created. */
export type ResolverSource = (resolver: ResolverClass) => object;

/** Opens the event stream of a subscription topic. */
export type Subscribe = (topic: string, request: { args: Record<string, unknown>; context: RequestContext }) => unknown;

/** Builds the executable GraphQL schema from the resolver classes of all modules. */
export function buildScenariumSchema(instanceOf: ResolverSource, subscribe: Subscribe): GraphQLSchema {
  const built = buildSchemaSync({
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
  const schema = withGlobalIds(built);
  markOneOfInputs(schema);
  describeRootTypes(schema);
  makeQueriesNullable(schema);
  makeResolversPlain(schema, resolver => instanceOf(resolver as ResolverClass));
  addPayloadResolvers(schema);
  addGlobalIdResolvers(schema);
  return schema;
}

/** type-graphql has no option for `@oneOf`, so the types have the extension `oneOf`. */
function markOneOfInputs(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()))
    if (isInputObjectType(type) && type.extensions.oneOf === true) type.isOneOf = true;
}

/**
 * An error of one root field leaves the others of the operation intact only if the field can be null (ADR 0045). Resolvers
 * declare the type that they return, without `nullable`.
 */
function makeQueriesNullable(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getQueryType()!.getFields())) field.type = getNullableType(field.type);
}

function describeRootTypes(schema: GraphQLSchema): void {
  schema.getQueryType()!.description = 'Reads objects and lists. Nothing changes.';
  schema.getMutationType()!.description =
    'Changes objects. The mutations of an operation are executed one after another, in their order.';
  schema.getSubscriptionType()!.description =
    'Sends events over WebSocket, Server-Sent Events or multipart HTTP until the client or the service ends the stream.';
}
