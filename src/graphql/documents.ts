import { type DocumentNode, type FragmentDefinitionNode, Kind, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import { QueryTooComplexError } from '../platform/errors/errors.js';

/** Maximum number of tokens of one operation. It limits the time of parsing. */
export const MAX_TOKENS = 2_000;

/** Maximum number of characters of all cached documents together. */
const MAX_CHARACTERS = 5_000_000;

const documents = new LRUCache<string, DocumentNode>({
  maxSize: MAX_CHARACTERS,
  sizeCalculation: (_document, text) => text.length + 1,
});

/**
 * Returns the parsed text, or null for a syntax error, which is reported when the operation is executed. Throws a
 * QueryTooComplexError if the text has too many tokens or nests too deeply to be parsed.
 */
export function parseDocument(text: string): DocumentNode | null {
  const cached = documents.get(text);
  if (cached) return cached;
  try {
    const document = parse(text, { maxTokens: MAX_TOKENS, noLocation: true });
    documents.set(text, document);
    return document;
  } catch (error) {
    // Some versions of graphql misspell the message as "more that".
    if (/ more tha[nt] \d+ tokens/.test((error as Error).message))
      throw new QueryTooComplexError(`it has more than ${MAX_TOKENS} tokens`);
    // Nested values can exceed the stack of the parser within the limit of tokens.
    if (error instanceof RangeError) throw new QueryTooComplexError('it is nested too deeply');
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
