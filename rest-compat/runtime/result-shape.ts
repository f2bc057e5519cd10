import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';
import { directiveArguments } from './input/ast-directive.js';
import { restNamesOf } from './input/inputs.js';

/** Transforms a result value in place and returns it. */
export type Shape = (value: unknown) => unknown;

interface Member {
  readonly key: string;
  readonly isOmittedWhenNull: boolean;
  readonly shape: Shape | null;
}

/**
 * Builds the transformation of a result to REST: enum values under their REST names, and no null members with `@omitNull`.
 * Null for a selection that needs neither, so that its result is not traversed.
 */
export function shapeOf(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  field: FieldNode,
  type: GraphQLOutputType,
): Shape | null {
  const named = getNamedType(type);
  if (isEnumType(named)) return enumShape(restNamesOf(field, named));
  if (!field.selectionSet) return null;
  const members = membersOf(schema, fragments, field.selectionSet, named.name);
  if (members.length === 0) return null;
  return mapLists(value => {
    if (typeof value !== 'object' || value === null) return value;
    const record = value as Record<string, unknown>;
    for (const member of members) {
      if (!Object.hasOwn(record, member.key)) continue;
      if (record[member.key] === null && member.isOmittedWhenNull) delete record[member.key];
      else if (member.shape) record[member.key] = member.shape(record[member.key]);
    }
    return record;
  });
}

function enumShape(names: ReadonlyMap<string, string>): Shape {
  return mapLists(value => (typeof value === 'string' ? names.get(value) : value));
}

function mapLists(one: Shape): Shape {
  const shape: Shape = value => (Array.isArray(value) ? value.map(shape) : one(value));
  return shape;
}

function membersOf(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  selection: SelectionSetNode,
  typeName: string,
): Member[] {
  const type = schema.getType(typeName);
  return selection.selections.flatMap(node => {
    if (node.kind === Kind.FRAGMENT_SPREAD || node.kind === Kind.INLINE_FRAGMENT) {
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
      const on = fragment?.typeCondition && typeFromAST(schema, fragment.typeCondition);
      return fragment ? membersOf(schema, fragments, fragment.selectionSet, on?.name ?? typeName) : [];
    }
    const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined;
    if (!field) return [];
    const isOmittedWhenNull = directiveArguments(node, 'omitNull') !== null;
    const shape = shapeOf(schema, fragments, node, field.type);
    return isOmittedWhenNull || shape ? [{ key: (node.alias ?? node.name).value, isOmittedWhenNull, shape }] : [];
  });
}
