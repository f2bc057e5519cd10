import {
  type FieldNode,
  GraphQLNonNull,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';

export interface BodyField {
  readonly field: FieldNode;
  readonly type: GraphQLOutputType;
  /** The response keys from the root of the result to the value. */
  readonly path: readonly string[];
}

/** Finds the field with the alias `body`. Every level above it must have exactly one field. Null when there is none. */
export function bodyFieldOf(schema: GraphQLSchema, operation: OperationDefinitionNode): BodyField | null {
  const path: string[] = [];
  let parent: unknown = schema.getRootType(operation.operation);
  let selections = operation.selectionSet.selections;
  for (;;) {
    const [field, ...others] = selections;
    if (field?.kind !== Kind.FIELD || others.length > 0 || !isObjectType(parent)) return null;
    const type: GraphQLOutputType | undefined = parent.getFields()[field.name.value]?.type;
    if (!type) return null;
    path.push((field.alias ?? field.name).value);
    if (field.alias?.value === 'body') return { field, type: isRequired(operation, path) ? nonNull(type) : type, path };
    parent = getNamedType(type);
    selections = field.selectionSet?.selections ?? [];
  }
}

/** Whether a missing value is an error: root fields fail with NOT_FOUND, and mutations throw refusals. */
function isRequired({ operation }: OperationDefinitionNode, path: readonly string[]): boolean {
  return path.length === 1 || operation === 'mutation';
}

function nonNull(type: GraphQLOutputType): GraphQLOutputType {
  return isNonNullType(type) ? type : new GraphQLNonNull(type);
}

/** The value at a path of response keys; undefined or null when a level is missing. */
export function valueAt(path: readonly string[], data: unknown): unknown {
  let value = data;
  for (const key of path) value = (value as Record<string, unknown> | null)?.[key];
  return value;
}
