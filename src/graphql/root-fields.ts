import { getOperationAST, Kind, type SelectionSetNode } from 'graphql';
import { documentOf, fragmentsOf } from './documents.js';
import type { RequestedFields } from './requested-fields.js';

/** What an operation asks for at its root. */
export interface RootFields {
  names: ReadonlySet<string>;
  /** How many there are, each alias for itself; what a request counts for. At least 1. */
  count: number;
}

/** Of what cannot be read: it is refused later, and counts as one request. */
const UNREADABLE: RootFields = { names: new Set(), count: 1 };

/** Counts before the operation is validated, so that no request is worked on that its caller may not make. */
export function rootFieldsOf({ query, operationName }: Omit<RequestedFields, 'variables'>): RootFields {
  if (typeof query !== 'string') return UNREADABLE;
  const document = documentOf(query);
  const name = typeof operationName === 'string' ? operationName : undefined;
  const operation = document && getOperationAST(document, name);
  if (!document || !operation) return UNREADABLE;
  const fragments = fragmentsOf(document);
  const names = new Set<string>();
  const responseNames = new Set<string>();
  const seen = new Set<string>();
  const visit = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        names.add(selection.name.value);
        responseNames.add((selection.alias ?? selection.name).value);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet);
      else {
        // Once each: a fragment that is spread a thousand times yields its fields once.
        const spread = selection.name.value;
        if (seen.has(spread)) continue;
        seen.add(spread);
        const fragment = fragments.get(spread);
        if (fragment) visit(fragment.selectionSet);
      }
    }
  };
  visit(operation.selectionSet);
  return { names, count: Math.max(responseNames.size, 1) };
}
