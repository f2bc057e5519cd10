import { type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import { getMetadataStorage } from 'type-graphql';

type Owner = new () => object;
type Metadata = ReturnType<typeof getMetadataStorage>;
/** A method that answers a field. */
type Method = Pick<Metadata['queries'][number], 'target' | 'methodName' | 'params' | 'middlewares' | 'roles'>;
type Param = NonNullable<Method['params']>[number];
type Resolver = GraphQLFieldResolver<unknown, unknown, Record<string, unknown>>;
/** What a parameter of a method gets. */
type Reading = (root: unknown, args: Record<string, unknown>, context: unknown) => unknown;

/**
 * Takes away what TypeGraphQL puts around every field. A field without a resolver of its own is a member of its object,
 * which compiled operations then read as such; a resolver that takes the object, the context and values that need no
 * making is called with just these. A page of ten otherwise goes through a hundred wrappers, which took longer than its
 * statement; and an operation waited for each of its arguments.
 */
export function makeResolversPlain(schema: GraphQLSchema, instanceOf: (owner: Owner) => object): void {
  const { fieldResolvers, fields, objectTypes, queries, mutations } = getMetadataStorage();
  const names = new Map(objectTypes.map(({ target, name }) => [target, name]));
  const own = new Map<string, Method>();
  for (const resolver of fieldResolvers) {
    const name = `${names.get(resolver.getObjectType?.() as never)}.${resolver.schemaName}`;
    if (resolver.kind === 'external') own.set(name, resolver);
  }
  for (const query of queries) own.set(`Query.${query.schemaName}`, query);
  for (const mutation of mutations) own.set(`Mutation.${mutation.schemaName}`, mutation);
  const kept = new Set([
    ...fieldResolvers.filter(({ kind }) => kind === 'internal').map(({ schemaName }) => schemaName),
    ...fields
      .filter(({ name, schemaName, middlewares, roles }) => name !== schemaName || middlewares?.length || roles)
      .map(({ schemaName }) => schemaName),
  ]);
  const subscription = schema.getSubscriptionType();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type === subscription || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const method = own.get(`${type.name}.${field.name}`);
      if (method) field.resolve = plain(method, instanceOf) ?? field.resolve;
      else if (!kept.has(field.name)) field.resolve = undefined;
    }
  }
}

/** Undefined: it takes more than that. */
function plain(method: Method, instanceOf: (owner: Owner) => object): Resolver | undefined {
  const { target, methodName, params = [], middlewares, roles } = method;
  if (middlewares?.length || roles) return undefined;
  const readings = params.toSorted((a, b) => a.index - b.index).map(readingOf);
  if (!readings.every(reading => reading !== undefined)) return undefined;
  const instance = instanceOf(target as Owner) as Record<string, (...given: unknown[]) => unknown>;
  return (root, args, context) => instance[methodName]!(...readings.map(reading => reading(root, args, context)));
}

function readingOf(param: Param): Reading | undefined {
  if (param.kind === 'context' && !param.propertyName) return (_root, _args, context) => context;
  if (param.kind === 'root' && !param.propertyName && !param.getType) return root => root;
  if (param.kind !== 'arg' || isMade(param.getType())) return undefined;
  const { name } = param;
  return (_root, args) => args[name];
}

/** Whether TypeGraphQL makes an instance of a class of what was given: of scalars and enums it makes nothing. */
function isMade(type: unknown): boolean {
  return getMetadataStorage().inputTypes.some(({ target }) => target === type);
}
