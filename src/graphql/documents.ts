import { type DocumentNode, type FragmentDefinitionNode, Kind, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import { QueryTooComplexError } from '../platform/errors/errors.js';

/** Tokens of one operation: a bound on parsing that no honest operation meets. */
export const MAX_TOKENS = 2_000;

/** Characters of the documents that are remembered, in all. */
const MAX_REMEMBERED = 5_000_000;

const documents = new LRUCache<string, DocumentNode>({
  maxSize: MAX_REMEMBERED,
  sizeCalculation: (_document, text) => text.length + 1,
});

/**
 * The parsed text; null when it cannot be parsed: the reason is told by whoever runs it. Throws a QueryTooComplexError for
 * one of too many tokens, or nested too deep to be parsed.
 */
export function documentOf(text: string): DocumentNode | null {
  const known = documents.get(text);
  if (known) return known;
  try {
    const document = parse(text, { maxTokens: MAX_TOKENS, noLocation: true });
    documents.set(text, document);
    return document;
  } catch (error) {
    if (/ more tha[nt] \d+ tokens/.test((error as Error).message))
      throw new QueryTooComplexError(`it has more than ${MAX_TOKENS} tokens`);
    // Values nested deeper than the stack of the parser, within the tokens that an operation may have.
    if (error instanceof RangeError) throw new QueryTooComplexError('it nests too deep');
    return null;
  }
}

export function fragmentsOf({ definitions }: DocumentNode): Map<string, FragmentDefinitionNode> {
  return new Map(
    definitions
      .filter(definition => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map(fragment => [fragment.name.value, fragment]),
  );
}
