import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

type Field = GraphQLField<unknown, unknown>;

/** A type with many values, and the path to them from a list of the query type. */
export interface ObjectPath {
  type: GraphQLObjectType;
  /** A list of the query type, and the fields within it. */
  path: string[];
}

/** Every object type below a list of the query type, at any depth, by the shortest path. */
export function objectPathsOf(schema: GraphQLSchema): ObjectPath[] {
  const objectPaths: ObjectPath[] = [];
  const seen = new Set<GraphQLObjectType>();
  const visit = (type: unknown, path: string[]) => {
    if (!isObjectType(type) || seen.has(type)) return;
    seen.add(type);
    objectPaths.push({ type, path });
  };
  for (const field of Object.values(schema.getQueryType()!.getFields())) {
    const type = getNamedType(field.type);
    const items = isPage(type) ? getNamedType(type.getFields().items!.type) : null;
    if (items) visit(items, [field.name, 'items']);
    else if (isListType(getNullableType(field.type))) visit(type, [field.name]);
  }
  for (const { type, path } of objectPaths)
    for (const field of Object.values(type.getFields()))
      if (canBeSelected(field)) visit(getNamedType(field.type), [...path, field.name]);
  return objectPaths;
}

export function isPage(type: unknown): type is GraphQLObjectType {
  return isObjectType(type) && type.name.endsWith('Page');
}

/** The fields of a type by name, each as a selection: an object with its leaves, a page with those of its items. */
export function selectionsOf(type: GraphQLObjectType): Map<string, string> {
  const fields = Object.values(type.getFields()).filter(canBeSelected);
  return new Map(fields.map(field => [field.name, selectionOf(field)]));
}

function selectionOf(field: Field): string {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) return field.name;
  const fields = Object.values(type.getFields()).filter(canBeSelected);
  const leaves = fields.filter(each => !isObjectType(getNamedType(each.type)));
  const inner = isPage(type) || leaves.length === 0 ? fields : leaves;
  return `${field.name} { ${inner.map(selectionOf).join(' ')} }`;
}

/** Whether the field has no required arguments. */
function canBeSelected({ args }: Field): boolean {
  return args.every(({ type, defaultValue }) => !isNonNullType(type) || defaultValue !== undefined);
}
