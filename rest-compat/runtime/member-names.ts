import { type DocumentNode, Kind, type ValueNode, visit } from 'graphql';

/** Which REST parameter fills a GraphQL argument or input field: errors name the latter, clients sent the former. */
export function memberNames(document: DocumentNode): Map<string, string> {
  const names = new Map<string, string>();
  const note = (name: string, value: ValueNode) => {
    if (value.kind === Kind.VARIABLE && !names.has(name)) names.set(name, value.name.value);
  };
  visit(document, {
    Argument: node => note(node.name.value, node.value),
    ObjectField: node => note(node.name.value, node.value),
  });
  return names;
}
