import { type FragmentDefinitionNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

const namesByNodes = new WeakMap<object, ReadonlySet<string>>();

/**
 * The names of the fields that an operation selects below a field, at any depth. Fields that a directive leaves out are
 * included, and names are not distinguished by type.
 */
export function selectedFields({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
  // The nodes belong to the parsed document, which is kept for all requests of an operation.
  const [first] = fieldNodes;
  let names = namesByNodes.get(first!);
  if (!names) {
    const found = new Set<string>();
    for (const { selectionSet } of fieldNodes) addNames(selectionSet, fragments, found);
    names = found;
    namesByNodes.set(first!, names);
  }
  return names;
}

function addNames(
  selections: SelectionSetNode | undefined,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  names: Set<string>,
): void {
  for (const selection of selections?.selections ?? []) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      addNames(fragments[selection.name.value]?.selectionSet, fragments, names);
      continue;
    }
    if (selection.kind === Kind.FIELD) names.add(selection.name.value);
    addNames(selection.selectionSet, fragments, names);
  }
}
