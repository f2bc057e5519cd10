import {
  coerceInputValue,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  Kind,
  typeFromAST,
} from 'graphql';

/** Returns the faults of values for the variables of the only operation of a document. */
export function variableFaults(
  schema: GraphQLSchema,
  document: DocumentNode,
  given: Record<string, unknown>,
): string[] {
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return ['the document does not begin with an operation'];
  const definitions = operation.variableDefinitions ?? [];
  const declared = new Set(definitions.map(({ variable }) => variable.name.value));
  const faults = Object.keys(given)
    .filter(name => !declared.has(name))
    .map(name => `$${name} is not declared`);
  for (const { defaultValue, type, variable } of definitions) {
    const name = variable.name.value;
    const isNeeded = type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined;
    if (given[name] === undefined && !isNeeded) continue;
    const inputType = typeFromAST(schema, type as never) as GraphQLInputType;
    coerceInputValue(given[name], inputType, (_path, _value, error) => faults.push(`$${name}: ${error.message}`));
  }
  return faults;
}
