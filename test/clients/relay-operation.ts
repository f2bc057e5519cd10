import {
  type FieldNode,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { SCHEMA } from '../fuzz/graphql-fields.js';

/**
 * The request that relay-compiler generates for an operation without fragments. The compiler itself is a native binary for each
 * platform, which a test does not need.
 */
export function relayRequestOf(text: string, name: string): object {
  const [operation] = parse(text).definitions as [OperationDefinitionNode];
  const root = SCHEMA.getRootType(operation.operation)!;
  const selections = operation.selectionSet.selections.map(field => fieldOf(field as FieldNode, root));
  const argumentDefinitions = (operation.variableDefinitions ?? []).map(({ variable }) => ({
    defaultValue: null,
    kind: 'LocalArgument',
    name: variable.name.value,
  }));
  return {
    kind: 'Request',
    fragment: {
      kind: 'Fragment',
      name,
      type: root.name,
      argumentDefinitions,
      selections,
      metadata: null,
      abstractKey: null,
    },
    operation: { kind: 'Operation', name, argumentDefinitions, selections },
    params: { id: null, cacheID: name, metadata: {}, name, operationKind: operation.operation, text },
  };
}

/** The field in the form of the compiler. Literal arguments are not supported: they become variables with the name of the argument. */
function fieldOf(node: FieldNode, parent: GraphQLOutputType): object {
  const name = node.name.value;
  const { type } = isObjectType(parent) ? parent.getFields()[name]! : { type: parent };
  const args = (node.arguments ?? []).map(({ name: { value: argument }, value }) => ({
    kind: 'Variable',
    name: argument,
    variableName: value.kind === Kind.VARIABLE ? value.name.value : argument,
  }));
  const field = { alias: node.alias?.value ?? null, args: args.length > 0 ? args : null, name, storageKey: null };
  const named = getNamedType(type);
  if (!node.selectionSet || !isObjectType(named)) return { ...field, kind: 'ScalarField' };
  return {
    ...field,
    kind: 'LinkedField',
    concreteType: named.name,
    plural: isListType(getNullableType(type)),
    selections: node.selectionSet.selections.map(child => fieldOf(child as FieldNode, named)),
  };
}
