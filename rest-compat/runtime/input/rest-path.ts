import { type DocumentNode, getNamedType, isLeafType, Kind, type ValueNode, visit } from 'graphql';
import { memberName, snakeCase } from '../snake-case.js';
import type { Input } from './inputs.js';

/** Converts the path of a GraphQL member in an error, such as `variableNames.0.isActive`, to the path in the REST request. */
export type ToRestPath = (path: string) => string;

/**
 * Returns the conversion for the errors of an operation. A path begins with an argument or a member of its input, whose
 * REST parameter the operation names. Further names are those of nested input objects (`memberName`).
 */
export function toRestPathOf(document: DocumentNode, inputs: readonly Input[]): ToRestPath {
  const names = parameterNames(document, inputs);
  const scalars = new Set(inputs.filter(({ type }) => isLeafType(getNamedType(type))).map(({ name }) => name));
  return path => {
    const [first = '', ...inner] = path.split('.');
    const name = names.get(first) ?? snakeCase(first);
    // The value of a scalar is JSON with names that the client chose, so they stay as they are.
    return [name, ...(scalars.has(name) ? inner : inner.map(memberName))].join('.');
  };
}

/** The conversion for errors outside of an operation. */
export const toDefaultRestPath: ToRestPath = path => path.split('.').map(snakeCase).join('.');

/**
 * REST parameter names by GraphQL argument or input field. If an argument and a field have the same name, the field
 * takes precedence, because such an argument comes from the path.
 */
function parameterNames(document: DocumentNode, inputs: readonly Input[]): Map<string, string> {
  const [byArgument, byField] = [new Map<string, string>(), new Map<string, string>()];
  const headers = new Map(inputs.flatMap(({ name, header }) => (header === null ? [] : [[name, header] as const])));
  const note = (names: Map<string, string>, name: string, value: ValueNode) => {
    if (value.kind === Kind.VARIABLE && !names.has(name))
      names.set(name, headers.get(value.name.value) ?? value.name.value);
  };
  visit(document, {
    Argument: node => note(byArgument, node.name.value, node.value),
    ObjectField: node => note(byField, node.name.value, node.value),
  });
  return new Map([...byArgument, ...byField]);
}
