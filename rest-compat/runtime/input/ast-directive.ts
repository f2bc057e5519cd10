import { type DirectiveNode, valueFromASTUntyped } from 'graphql';

interface NodeWithDirectives {
  readonly directives?: readonly DirectiveNode[] | undefined;
}

/** The arguments of a directive as plain values; null when the node does not have the directive. */
export function directiveArguments(node: NodeWithDirectives, name: string): Record<string, unknown> | null {
  const directive = node.directives?.find(candidate => candidate.name.value === name);
  if (!directive) return null;
  return Object.fromEntries(
    (directive.arguments ?? []).map(argument => [argument.name.value, valueFromASTUntyped(argument.value)]),
  );
}
