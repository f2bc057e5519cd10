import { type FieldNode, Kind } from 'graphql';
import { directiveArguments } from './input/ast-directive.js';
import { valueAt } from './input/body-field.js';

/** The response keys from the body to the value of its member with `@etag`; null without such a member. */
export function etagPathOf(body: FieldNode): readonly string[] | null {
  const member = body.selectionSet?.selections.find(
    node => node.kind === Kind.FIELD && directiveArguments(node, 'etag') !== null,
  );
  const path: string[] = [];
  for (let field = member; field?.kind === Kind.FIELD; field = field.selectionSet?.selections[0])
    path.push((field.alias ?? field.name).value);
  return path.length > 0 ? path : null;
}

/** Removes the member from the body and returns its value as an entity tag (RFC 9110, section 8.8.3). */
export function takeEtag(body: unknown, path: readonly string[]): string {
  const value = valueAt(path, body);
  delete (body as Record<string, unknown>)[path[0]!];
  return `"${String(value)}"`;
}
