import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
} from 'graphql';
import { groupTitle } from '../group-title.js';
import type { OperationSource } from '../operation-source.js';
import { restText } from './json-schema.js';

/** The GraphQL description of the mutation, or of the field with the alias `body`. */
export function fieldDescription(schema: GraphQLSchema, operation: OperationSource): string | undefined {
  return restText(bodyField(schema, operation)?.description);
}

/**
 * The description of a group of routes: that of the object type which most of its routes return. A type named after the group
 * takes precedence.
 */
export function groupDescription(schema: GraphQLSchema, operations: readonly OperationSource[]): string | undefined {
  const counts = new Map<GraphQLObjectType, number>();
  for (const operation of operations) {
    const type = recordType(operation.body.type);
    if (type) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  const [operation] = operations;
  const stem = operation ? groupTitle(operation.group).replaceAll(/ |s$/g, '').toLowerCase() : '';
  const rank = ([type, count]: [GraphQLObjectType, number]) =>
    count + (type.name.toLowerCase().startsWith(stem) ? operations.length : 0);
  const [first] = [...counts].toSorted((a, b) => rank(b) - rank(a));
  return restText(first?.[0].description) ?? (operation && fieldDescription(schema, operation));
}

/** The object type of a result: for a page that of its items. */
function recordType(type: GraphQLOutputType): GraphQLObjectType | null {
  const named = getNamedType(type);
  if (!isObjectType(named)) return null;
  const items = named.getFields().items;
  return items ? recordType(items.type) : named;
}

function bodyField(schema: GraphQLSchema, { definition }: OperationSource): GraphQLField<unknown, unknown> | undefined {
  let parent: unknown = schema.getRootType(definition.operation);
  let selections = definition.selectionSet.selections;
  for (;;) {
    const [node] = selections;
    const field = node?.kind === Kind.FIELD && isObjectType(parent) ? parent.getFields()[node.name.value] : undefined;
    const isFound = definition.operation === 'mutation' || (node?.kind === Kind.FIELD && node.alias?.value === 'body');
    if (node?.kind !== Kind.FIELD || !field || isFound) return field;
    parent = getNamedType(field.type);
    selections = node.selectionSet?.selections ?? [];
  }
}
