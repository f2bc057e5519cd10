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

/** Returns true for a page of a list, which has its objects in `items`. */
const isPage = (type: GraphQLObjectType): boolean => {
  const { items, total } = type.getFields();
  return items !== undefined && total !== undefined;
};

const PAYLOAD_MEMBERS = ['errors', 'warnings'];

/** Returns true for the payload of a mutation, which has the result in another member. */
export const isPayload = (type: GraphQLObjectType): boolean =>
  PAYLOAD_MEMBERS.every(name => type.getFields()[name] !== undefined);

/**
 * Selects the values of an object and of the objects directly in it. In lists, JSON is omitted because it may be large, and
 * so are nested lists of objects. Types that already enclose the object are omitted.
 */
export function selectionOf(type: GraphQLObjectType, isList: boolean): SelectionSetNode {
  if (isPayload(type)) return payloadSelection(type);
  if (!isPage(type)) return selection(type, { levels: 1, enclosing: [], isInList: isList });
  const { items, ...others } = type.getFields();
  const values = Object.values(others).flatMap(field =>
    select(field, { levels: 0, enclosing: [type], isInList: false }),
  );
  const item = getNamedType((items as GraphQLField<unknown, unknown>).type);
  return selectionSet([
    ...values,
    {
      ...named('items'),
      selectionSet: selection(item as GraphQLObjectType, { levels: 1, enclosing: [type], isInList: true }),
    },
  ]);
}

/** Selects the type name of an object and the values that all types of the interface have. */
export function interfaceSelection(type: GraphQLInterfaceType): SelectionSetNode {
  const values = Object.values(type.getFields()).filter(field => isLeafType(getNamedType(field.type)));
  return selectionSet(['__typename', ...values.map(({ name }) => name)].map(named));
}

/** Selects the result of a mutation and its errors. */
function payloadSelection(type: GraphQLObjectType): SelectionSetNode {
  const [value] = Object.values(type.getFields()).filter(({ name }) => !PAYLOAD_MEMBERS.includes(name));
  const object = value && getNamedType(value.type);
  const isList = value !== undefined && isListType(getNullableType(value.type));
  const nested = isObjectType(object) ? { selectionSet: selectionOf(object, isList) } : {};
  const faults = ['code', 'message', 'path'].map(named);
  return selectionSet([
    ...(value ? [{ ...named(value.name), ...nested }] : []),
    { ...named('errors'), selectionSet: selectionSet(faults) },
  ]);
}

interface Nesting {
  /** Number of further levels of objects to select. */
  levels: number;
  /** The types that enclose the field. */
  enclosing: readonly GraphQLObjectType[];
  isInList: boolean;
}

function selection(type: GraphQLObjectType, nesting: Nesting): SelectionSetNode {
  const fields = Object.values(type.getFields());
  const enclosing = [...nesting.enclosing, type];
  return selectionSet(fields.flatMap(field => select(field, { ...nesting, enclosing })));
}

function select(field: GraphQLField<unknown, unknown>, { levels, enclosing, isInList }: Nesting): FieldNode[] {
  if (field.deprecationReason != null || field.args.some(isRequiredArgument)) return [];
  const type = getNamedType(field.type);
  if (isLeafType(type)) return isInList && type.name === 'JSON' ? [] : [named(field.name)];
  if (!isObjectType(type) || levels === 0 || enclosing.includes(type) || isPage(type)) return [];
  const isList = isListType(getNullableType(field.type));
  if (isList && isInList) return [];
  const nested = selection(type, { levels: levels - 1, enclosing, isInList: isInList || isList });
  return nested.selections.length === 0 ? [] : [{ ...named(field.name), selectionSet: nested }];
}

const named = (value: string): FieldNode => ({ kind: Kind.FIELD, name: { kind: Kind.NAME, value } });
const selectionSet = (selections: FieldNode[]): SelectionSetNode => ({ kind: Kind.SELECTION_SET, selections });
