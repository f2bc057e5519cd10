import { type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import { getMetadataStorage } from 'type-graphql';

type Owner = new () => object;
type FieldResolver = ReturnType<typeof getMetadataStorage>['fieldResolvers'][number];

/**
 * Takes away what TypeGraphQL puts around every field. A field without a resolver of its own is a member of its object,
 * which compiled operations then read as such; a resolver that takes the object and the context is called with just
 * these. A page of ten otherwise goes through a hundred wrappers, which took longer than its statement.
 */
export function makeResolversPlain(schema: GraphQLSchema, instanceOf: (owner: Owner) => object): void {
  const { fieldResolvers, fields, objectTypes } = getMetadataStorage();
  const names = new Map(objectTypes.map(({ target, name }) => [target, name]));
  const own = new Map<string, FieldResolver>();
  for (const resolver of fieldResolvers)
    own.set(`${names.get(resolver.getObjectType?.() as never)}.${resolver.schemaName}`, resolver);
  const special = new Set(
    fields
      .filter(({ name, schemaName, middlewares, roles }) => name !== schemaName || middlewares?.length || roles)
      .map(({ schemaName }) => schemaName),
  );
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || roots.includes(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const resolver = own.get(`${type.name}.${field.name}`);
      if (resolver) field.resolve = plain(resolver, instanceOf) ?? field.resolve;
      else if (!special.has(field.name)) field.resolve = undefined;
    }
  }
}

/** Undefined: it takes more than that. */
function plain(
  resolver: FieldResolver,
  instanceOf: (owner: Owner) => object,
): GraphQLFieldResolver<unknown, unknown> | undefined {
  const { kind, target, methodName, params = [], middlewares, roles } = resolver;
  if (kind !== 'external' || middlewares?.length || roles) return undefined;
  const taken = params
    .toSorted((a, b) => a.index - b.index)
    .map(param => {
      if (param.kind === 'context' && !param.propertyName) return 'context';
      return param.kind === 'root' && !param.propertyName && !param.getType ? 'root' : null;
    });
  if (taken.includes(null)) return undefined;
  const instance = instanceOf(target as Owner) as Record<string, (...given: unknown[]) => unknown>;
  return (root, _args, context) => instance[methodName]!(...taken.map(each => (each === 'context' ? context : root)));
}
