import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  type OperationTypeNode,
  print,
} from 'graphql';

export const SCHEMA = buildSchema(readFileSync('schema.graphql', 'utf8'));

/** Patterns of the values of our scalars; the schema itself accepts any value. */
const FORMS: Record<string, RegExp> = {
  DateTime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i,
  UUID: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  Decimal: /^-?\d+(\.\d+)?$/,
};
for (const [name, form] of Object.entries(FORMS)) {
  const scalar = SCHEMA.getType(name) as GraphQLScalarType;
  scalar.parseValue = value => {
    // A decimal is accepted as a number too.
    if ((typeof value === 'string' || (name === 'Decimal' && typeof value === 'number')) && form.test(String(value)))
      return value;
    throw new TypeError(`no ${name}`);
  };
}

/** A field of Query, Mutation or Subscription, with a document that asks for it. */
export interface RootField {
  operation: 'query' | 'mutation' | 'subscription';
  name: string;
  field: GraphQLField<unknown, unknown>;
  /** Every argument is a variable of the same name and type. */
  document: string;
}

/** Scalars whose values are objects in the format of another API. */
const ANSWERS_OF_MODELS = new Set(['ChatCompletion', 'Embeddings', 'ModelMessage', 'ModelResponse']);

/** Fields that would make the service unusable for the other cases. */
const CLOSING = new Set(['maintenanceSet']);

export const ROOT_FIELDS: RootField[] = (['query', 'mutation', 'subscription'] as const).flatMap(operation => {
  const root = SCHEMA.getRootType(operation as OperationTypeNode) as GraphQLObjectType;
  return Object.values(root.getFields())
    .filter(field => !CLOSING.has(field.name))
    .map(field => ({
      operation,
      name: field.name,
      field,
      document: documentOf(operation, field),
    }));
});

function documentOf(operation: string, field: GraphQLField<unknown, unknown>): string {
  const variables = field.args.map(({ name, type, astNode }) => {
    const fallback = astNode?.defaultValue ? ` = ${print(astNode.defaultValue)}` : '';
    return `$${name}: ${type}${fallback}`;
  });
  const passed = field.args.map(({ name }) => `${name}: $${name}`);
  const head = variables.length > 0 ? ` (${variables.join(', ')})` : '';
  const call = passed.length > 0 ? `(${passed.join(', ')})` : '';
  return `${operation}${head} { ${field.name}${call}${selectionOf(field.type, operation === 'mutation' ? 3 : 2)} }`;
}

/** The leaf fields of a type and of its objects, some levels deep. */
function selectionOf(type: GraphQLOutputType, levels: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named) && !isInterfaceType(named)) return '';
  const fields = Object.values(named.getFields()).flatMap(field => {
    if (isLeafType(getNamedType(field.type))) return field.name;
    const selection = levels > 1 && !field.args.some(isRequiredArgument) ? selectionOf(field.type, levels - 1) : '';
    return selection === '' ? [] : field.name + selection;
  });
  return fields.length > 0 ? ` { ${fields.join(' ')} }` : '';
}

/** The fault in data of this declared type; null if there is none. */
export function dataFault(type: GraphQLOutputType, value: unknown, at: string): string | null {
  if (isNonNullType(type)) return value === null ? `${at} is null` : dataFault(type.ofType, value, at);
  if (value === null) return null;
  if (isListType(type)) {
    if (!Array.isArray(value)) return `${at} is not a list`;
    return firstFault(value.map((item, index) => dataFault(type.ofType, item, `${at}.${index}`)));
  }
  const named = getNamedType(type);
  if (isObjectType(named) || isInterfaceType(named)) {
    const fields = named.getFields();
    return firstFault(
      Object.entries(value as object).map(([name, member]) => {
        const field = fields[name];
        return field ? dataFault(field.type, member, `${at}.${name}`) : `${at}.${name} is not declared`;
      }),
    );
  }
  return isLeaf(named, value) ? null : `${at} is not of the type ${named.name}`;
}

function isLeaf(type: unknown, value: unknown): boolean {
  if (!(type instanceof GraphQLScalarType)) return typeof value === 'string';
  const form = type.name === 'DateTime' ? /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ : FORMS[type.name];
  if (form) return typeof value === 'string' && form.test(value);
  if (type.name === 'JSON') return true;
  if (ANSWERS_OF_MODELS.has(type.name)) return typeof value === 'object';
  if (type.name === 'ID') return typeof value === 'string';
  return type.name === 'String' || type.name === 'Boolean'
    ? typeof value === type.name.toLowerCase()
    : typeof value === 'number' && (type.name === 'Float' || Number.isInteger(value));
}

function firstFault(faults: readonly (string | null)[]): string | null {
  return faults.find(fault => fault !== null) ?? null;
}
