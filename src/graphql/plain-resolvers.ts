import { type GraphQLFieldResolver, type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import { getMetadataStorage } from 'type-graphql';

type Owner = new () => object;
type Metadata = ReturnType<typeof getMetadataStorage>;
/** A resolver method of a field. */
type Method = Pick<Metadata['queries'][number], 'target' | 'methodName' | 'params' | 'middlewares' | 'roles'>;
type Param = NonNullable<Method['params']>[number];
type Resolver = GraphQLFieldResolver<unknown, unknown, Record<string, unknown>>;
/** Reads the value of a method parameter. */
type ParamReader = (root: unknown, args: Record<string, unknown>, context: unknown) => unknown;

/**
 * Replaces the wrappers that TypeGraphQL puts around each field. A field without a resolver becomes a plain member, which compiled
 * operations read directly. A resolver whose parameters are the object, the context and plain arguments is called directly. Without
 * this, a page of ten items runs a hundred wrappers, which takes longer than its statement.
 */
export function makeResolversPlain(schema: GraphQLSchema, instanceOf: (owner: Owner) => object): void {
  const methods = methodsByField();
  const wrapped = wrappedFields();
  for (const type of objectTypesOf(schema)) {
    for (const field of Object.values(type.getFields())) {
      const method = methods.get(`${type.name}.${field.name}`);
      if (method) field.resolve = plainResolver(method, instanceOf) ?? field.resolve;
      else if (!wrapped.has(`${type.name}.${field.name}`))
        field.resolve = field.extensions.isAwaited ? memberOf(field.name) : undefined;
    }
  }
}

/** Reads a member that is a promise. Compiled operations await results of resolvers, but not of plain members. */
function memberOf(name: string): Resolver {
  return root => (root as Record<string, unknown>)[name];
}

/** The resolver methods by `Type.field`. */
function methodsByField(): Map<string, Method> {
  const { fieldResolvers, objectTypes, queries, mutations } = getMetadataStorage();
  const names = new Map(objectTypes.map(({ target, name }) => [target, name]));
  const ofObjects = fieldResolvers
    .filter(({ kind }) => kind === 'external')
    .map(resolver => [`${names.get(resolver.getObjectType?.() as never)}.${resolver.schemaName}`, resolver] as const);
  return new Map<string, Method>([
    ...ofObjects,
    ...queries.map(query => [`Query.${query.schemaName}`, query] as const),
    ...mutations.map(mutation => [`Mutation.${mutation.schemaName}`, mutation] as const),
  ]);
}

/** The fields by `Type.field` that are not plain members: methods, renamed members, and fields with middleware or roles. */
function wrappedFields(): Set<string> {
  const { fieldResolvers, fields, objectTypes } = getMetadataStorage();
  const methods = fieldResolvers.filter(({ kind }) => kind === 'internal');
  const others = fields.filter(
    ({ name, schemaName, middlewares, roles }) => name !== schemaName || middlewares?.length || roles,
  );
  const typesWith = (owner: unknown) =>
    objectTypes.filter(({ target }) => target === owner || target.prototype instanceof (owner as Owner));
  return new Set(
    [...methods, ...others].flatMap(({ target, schemaName }) =>
      typesWith(target).map(({ name }) => `${name}.${schemaName}`),
    ),
  );
}

function objectTypesOf(schema: GraphQLSchema): GraphQLObjectType[] {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  return types.filter(type => type !== schema.getSubscriptionType() && !type.name.startsWith('__'));
}

/** Returns a resolver without wrappers; undefined if the method has middleware, roles or other kinds of parameters. */
function plainResolver(method: Method, instanceOf: (owner: Owner) => object): Resolver | undefined {
  const { target, methodName, params = [], middlewares, roles } = method;
  if (middlewares?.length || roles) return undefined;
  const readers = params.toSorted((a, b) => a.index - b.index).map(paramReaderOf);
  if (!readers.every(reader => reader !== undefined)) return undefined;
  const instance = instanceOf(target as Owner) as Record<string, (...args: unknown[]) => unknown>;
  return (root, args, context) => instance[methodName]!(...readers.map(reader => reader(root, args, context)));
}

function paramReaderOf(param: Param): ParamReader | undefined {
  if (param.kind === 'context' && !param.propertyName) return (_root, _args, context) => context;
  if (param.kind === 'root' && !param.propertyName && !param.getType) return root => root;
  if (param.kind !== 'arg' || isInputClass(param.getType())) return undefined;
  const { name } = param;
  return (_root, args) => args[name];
}

/** Whether TypeGraphQL converts the argument to an instance of an input class. Scalars and enums stay unchanged. */
function isInputClass(type: unknown): boolean {
  return getMetadataStorage().inputTypes.some(({ target }) => target === type);
}
