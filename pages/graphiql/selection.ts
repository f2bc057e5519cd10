import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/** Whether an object is a page of a list: its items are what was asked for. */
const isPage = (type: GraphQLObjectType): boolean => {
  const { items, total } = type.getFields();
  return items !== undefined && total !== undefined;
};

const PAYLOAD_MEMBERS = ['errors', 'warnings'];

/** Whether an object is the payload of a mutation: its value is what was asked for. */
export const isPayload = (type: GraphQLObjectType): boolean =>
  PAYLOAD_MEMBERS.every(name => type.getFields()[name] !== undefined);

/**
 * What an operation asks of an object that it answers with: its values, and the values of the objects right in it. Of
 * many, neither JSON, which may be large, nor lists of objects. Types that were met on the way down are left out.
 */
export function selectionOf(type: GraphQLObjectType, isList: boolean): SelectionSetNode {
  if (isPayload(type)) return payloadSelection(type);
  if (!isPage(type)) return selection(type, 1, [], isList);
  const { items, ...others } = type.getFields();
  const values = Object.values(others).flatMap(field => select(field, 0, [type], false));
  const item = getNamedType((items as GraphQLField<unknown, unknown>).type);
  return selectionSet([
    ...values,
    { ...named('items'), selectionSet: selection(item as GraphQLObjectType, 1, [type], true) },
  ]);
}

/** The type of an object, and its values that all types of the interface have. */
export function interfaceSelection(type: GraphQLInterfaceType): SelectionSetNode {
  const values = Object.values(type.getFields()).filter(field => isLeafType(getNamedType(field.type)));
  return selectionSet(['__typename', ...values.map(({ name }) => name)].map(named));
}

/** The value of a mutation, and why it was refused. */
function payloadSelection(type: GraphQLObjectType): SelectionSetNode {
  const [value] = Object.values(type.getFields()).filter(({ name }) => !PAYLOAD_MEMBERS.includes(name));
  const object = value && getNamedType(value.type);
  const isList = value !== undefined && isListType(getNullableType(value.type));
  const below = isObjectType(object) ? { selectionSet: selectionOf(object, isList) } : {};
  const faults = ['code', 'message', 'path'].map(named);
  return selectionSet([
    ...(value ? [{ ...named(value.name), ...below }] : []),
    { ...named('errors'), selectionSet: selectionSet(faults) },
  ]);
}

type Above = readonly GraphQLObjectType[];

function selection(type: GraphQLObjectType, deeper: number, above: Above, isOfMany: boolean): SelectionSetNode {
  const fields = Object.values(type.getFields());
  return selectionSet(fields.flatMap(field => select(field, deeper, [...above, type], isOfMany)));
}

function select(field: GraphQLField<unknown, unknown>, deeper: number, above: Above, isOfMany: boolean): FieldNode[] {
  if (field.deprecationReason != null || field.args.some(isRequiredArgument)) return [];
  const type = getNamedType(field.type);
  if (isLeafType(type)) return isOfMany && type.name === 'JSON' ? [] : [named(field.name)];
  if (!isObjectType(type) || deeper === 0 || above.includes(type) || isPage(type)) return [];
  const isList = isListType(getNullableType(field.type));
  if (isList && isOfMany) return [];
  const below = selection(type, deeper - 1, above, isOfMany || isList);
  return below.selections.length === 0 ? [] : [{ ...named(field.name), selectionSet: below }];
}

const named = (value: string): FieldNode => ({ kind: Kind.FIELD, name: { kind: Kind.NAME, value } });
const selectionSet = (selections: FieldNode[]): SelectionSetNode => ({ kind: Kind.SELECTION_SET, selections });
