import { type DocumentNode, Kind, type ValueNode, visit } from 'graphql';
import type { Input } from './inputs.js';

/**
 * REST parameter names by GraphQL argument or input field, to rename the members in errors. If an argument and a field have
 * the same name, the field takes precedence, because such an argument comes from the path.
 */
export function memberNames(document: DocumentNode, inputs: readonly Input[]): Map<string, string> {
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
