import {
  extendSchema,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  parse,
} from 'graphql';
import { InvalidInputError, NotFoundError } from '../platform/errors/errors.js';

/** A root field that returns one object by its id. */
interface Lookup {
  type: GraphQLObjectType;
  field: GraphQLField<unknown, unknown>;
}

const NO_GLOBAL_ID = 'This is not a global id. Use the globalId of an object.';

/**
 * Adds `globalId` to each type that a root field returns by `id`, and the root field `node`, which calls that root field, so that the
 * rights and errors are the same (GraphQL Global Object Identification, with `globalId` in place of `id`).
 */
export function withGlobalIds(schema: GraphQLSchema): GraphQLSchema {
  const extensions = lookupsOf(schema).map(
    ({ type }) =>
      `extend type ${type.name} implements Node { "Id of the object among all types, for \`node\`. Opaque." globalId: ID! }`,
  );
  return extendSchema(
    schema,
    parse(`
      "An object that \`node\` returns by its global id."
      interface Node {
        "Id of the object among all types. Opaque."
        globalId: ID!
      }
      extend type Query {
        "One object of any type that has a global id. NOT_FOUND as in the root field of the type, for example \`workflow\`."
        node(
          "A \`globalId\` of an object. BAD_USER_INPUT for a text that is not one."
          globalId: ID!
        ): Node
      }
      ${extensions.join('\n')}`),
  );
}

/** Sets the resolvers of `globalId` and `node`. The root fields already have theirs. */
export function addGlobalIdResolvers(schema: GraphQLSchema): void {
  const lookups = new Map(lookupsOf(schema).map(lookup => [lookup.type.name, lookup]));
  for (const { type } of lookups.values())
    type.getFields().globalId!.resolve = object => toGlobalId(type.name, (object as { id: number | string }).id);
  const typeNames = new WeakMap<object, string>();
  const nodeType = schema.getType('Node');
  if (isInterfaceType(nodeType)) nodeType.resolveType = value => typeNames.get(value as object);
  schema.getQueryType()!.getFields().node!.resolve = async (root, { globalId }, context, info) => {
    const [, typeName = '', id = ''] = /^(\w+):(.*)$/s.exec(Buffer.from(globalId, 'base64url').toString()) ?? [];
    const lookup = lookups.get(typeName);
    const key = lookup && parseId(lookup.field, id);
    if (!lookup || key === undefined) throw new InvalidInputError({ globalId: [NO_GLOBAL_ID] });
    const found = (await lookup.field.resolve!(root, { id: key }, context, info)) as object | null;
    if (!found) throw new NotFoundError();
    typeNames.set(found, typeName);
    return found;
  };
}

/** The root fields that require only `id` and return an object with an `id`. */
function lookupsOf(schema: GraphQLSchema): Lookup[] {
  return Object.values(schema.getQueryType()!.getFields()).flatMap(field => {
    const type = getNamedType(field.type);
    const required = field.args.filter(isRequiredArgument).map(({ name }) => name);
    const isLookup = required.length === 1 && required[0] === 'id';
    return isLookup && isObjectType(type) && type.getFields().id ? [{ type, field }] : [];
  });
}

export function toGlobalId(type: string, id: number | string): string {
  return Buffer.from(`${type}:${id}`).toString('base64url');
}

/** Converts the text of an id to the type of the argument `id`. Undefined: no object has this id. */
function parseId({ args }: GraphQLField<unknown, unknown>, text: string): unknown {
  const type = getNamedType(args.find(({ name }) => name === 'id')!.type);
  if (!isScalarType(type)) return undefined;
  try {
    return type.parseValue(type.name === 'Int' ? Number(text || Number.NaN) : text);
  } catch {
    return undefined;
  }
}
