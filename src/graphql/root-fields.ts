import { getOperationAST, Kind, type SelectionSetNode } from 'graphql';
import { fragmentsOf, parseDocument } from './documents.js';
import type { OperationRequest } from './operation-request.js';

/** The root fields of an operation. */
export interface RootFields {
  names: ReadonlySet<string>;
  /** The number of response names, at least 1: the cost of the request for rate limits. */
  count: number;
}

/** For an operation with a syntax error. It is rejected later and counts as one request. */
const UNREADABLE: RootFields = { names: new Set(), count: 1 };

/** Counts root fields before validation, so that rate limits apply before any work. */
export function rootFieldsOf({ query, operationName }: Omit<OperationRequest, 'variables'>): RootFields {
  if (typeof query !== 'string') return UNREADABLE;
  const document = parseDocument(query);
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
        // Visited once: repeated spreads of a fragment add no response names.
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
