import { type DocumentNode, getOperationAST, Kind, parse, type SelectionSetNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { MAX_TOKENS } from './limits.js';

/** What an operation asks for at its root. */
export interface RootFields {
  names: ReadonlySet<string>;
  /** How many there are, each alias for itself; what a request counts for. At least 1. */
  count: number;
}

interface Requested {
  query?: unknown;
  operationName?: unknown;
}

/** Of what cannot be read: it is refused later, and counts as one request. */
const UNREADABLE: RootFields = { names: new Set(), count: 1 };

/** Characters of the documents that are remembered, in all. */
const MAX_REMEMBERED = 5_000_000;

const documents = new LRUCache<string, DocumentNode>({
  maxSize: MAX_REMEMBERED,
  sizeCalculation: (_document, text) => text.length + 1,
});

/** Counts before the operation is validated, so that no request is worked on that its caller may not make. */
export function rootFieldsOf({ query, operationName }: Requested): RootFields {
  if (typeof query !== 'string') return UNREADABLE;
  const document = documentOf(query);
  const name = typeof operationName === 'string' ? operationName : undefined;
  const operation = document && getOperationAST(document, name);
  if (!document || !operation) return UNREADABLE;
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
        const fragment = document.definitions.find(
          definition => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === spread,
        );
        if (fragment?.kind === Kind.FRAGMENT_DEFINITION) visit(fragment.selectionSet);
      }
    }
  };
  visit(operation.selectionSet);
  return { names, count: Math.max(responseNames.size, 1) };
}

function documentOf(text: string): DocumentNode | null {
  const known = documents.get(text);
  if (known) return known;
  try {
    const document = parse(text, { maxTokens: MAX_TOKENS, noLocation: true });
    documents.set(text, document);
    return document;
  } catch {
    // The reason is told by whoever runs it.
    return null;
  }
}
