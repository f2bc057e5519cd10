import type { TextPage } from './page.js';

/** Limits of the configurable chunk size, in tokens. */
export const MIN_CHUNK_TOKENS = 50;
export const MAX_CHUNK_TOKENS = 8000;

/** A part of a document's text that is indexed as one unit. */
export interface TextChunk {
  /** Index from 0. */
  index: number;
  text: string;
  tokens: number;
  /** Page on which the chunk begins; null: the document has no pages. */
  page: number | null;
}

/** Options of `chunksOf`. */
export interface ChunkOptions {
  /** Maximum number of tokens of a chunk. */
  size: number;
  countTokens(text: string): number;
}

/** An indivisible piece of text, with the separator in front of it. */
interface Unit {
  text: string;
  separator: string;
  tokens: number;
  page: number | null;
}

/** Upper bound of characters per token. A longer text exceeds the limit without counting. */
const MAX_CHARACTERS_PER_TOKEN = 128;

/**
 * Splits the text of `pages` into chunks of at most `size` tokens. Each chunk is filled with whole paragraphs. A paragraph
 * longer than a chunk is split between sentences, a longer sentence between words, and a longer word between characters.
 */
export function* chunksOf(pages: Iterable<TextPage>, options: ChunkOptions): Generator<TextChunk> {
  let index = 0;
  let open: Unit[] = [];
  let tokens = 0;
  const close = function* (units: Unit[]): Generator<TextChunk> {
    const text = joinUnits(units);
    if (text === '') return;
    const exact = options.countTokens(text);
    if (exact > options.size && units.length > 1) {
      // A joined text may have more tokens than its parts together. Such a chunk is halved.
      const half = units.length >> 1;
      yield* close(units.slice(0, half));
      yield* close(units.slice(half));
    } else yield { index: index++, text, tokens: exact, page: units[0]?.page ?? null };
  };
  for (const unit of unitsOf(pages, options)) {
    const separatorTokens = unit.separator === '' || open.length === 0 ? 0 : 1;
    if (open.length > 0 && tokens + separatorTokens + unit.tokens > options.size) {
      yield* close(open);
      open = [];
      tokens = 0;
    }
    tokens += unit.tokens + (open.length === 0 ? 0 : separatorTokens);
    open.push(unit);
  }
  yield* close(open);
}

function joinUnits(units: readonly Unit[]): string {
  return units
    .map(({ text, separator }, at) => (at === 0 ? text : separator + text))
    .join('')
    .trim();
}

function* unitsOf(pages: Iterable<TextPage>, { size, countTokens }: ChunkOptions): Generator<Unit> {
  const countIfFits = (text: string): number | null => {
    if (text.length > size * MAX_CHARACTERS_PER_TOKEN) return null;
    const tokens = countTokens(text);
    return tokens <= size ? tokens : null;
  };
  for (const { page, text } of pages) {
    for (const paragraph of paragraphsOf(text)) {
      const tokens = countIfFits(paragraph);
      if (tokens !== null) {
        yield { text: paragraph, separator: '\n\n', tokens, page };
        continue;
      }
      let separator = '\n\n';
      for (const sentence of sentencesOf(paragraph)) {
        for (const piece of piecesOf(sentence, text => countIfFits(text) !== null)) {
          yield { text: piece, separator, tokens: countTokens(piece), page };
          separator = '';
        }
      }
    }
  }
}

function paragraphsOf(text: string): string[] {
  return text
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .split(/\n[^\S\n]*\n\s*/)
    .map(paragraph => withoutTrailingSpaces(paragraph).replace(/^\n+/, '').trimEnd())
    .filter(paragraph => paragraph.trim() !== '');
}

/** Trims line by line, because a regular expression would take quadratic time on a line of spaces. */
function withoutTrailingSpaces(paragraph: string): string {
  return paragraph
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n');
}

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });
/**
 * Maximum number of characters that are passed to the segmenter at once. A longer paragraph is cut first, possibly within
 * a sentence.
 */
const MAX_SEGMENTER_CHARACTERS = 100_000;
/** Number of characters in front of a cut position that are searched for whitespace. */
const MAX_WORD_CHARACTERS = 1_000;

function* sentencesOf(paragraph: string): Generator<string> {
  for (let at = 0; at < paragraph.length; ) {
    const limit = at + MAX_SEGMENTER_CHARACTERS;
    const end = limit >= paragraph.length ? paragraph.length : findCut(paragraph, limit);
    for (const { segment } of sentences.segment(paragraph.slice(at, end))) yield segment;
    at = end;
  }
}

/** Splits a text in halves at word boundaries until each part fits. */
function* piecesOf(text: string, fits: (text: string) => boolean): Generator<string> {
  if (text.length < 2 || fits(text)) {
    yield text;
    return;
  }
  const cut = findCut(text, text.length >> 1);
  yield* piecesOf(text.slice(0, cut), fits);
  yield* piecesOf(text.slice(cut), fits);
}

/**
 * Returns a cut position of at most `at`: after the last whitespace in the preceding 1,000 characters, otherwise `at`.
 * Never splits a surrogate pair and never returns 0.
 */
function findCut(text: string, at: number): number {
  const from = Math.max(1, at - MAX_WORD_CHARACTERS);
  const space = text.slice(from, at).search(/\s\S*$/);
  if (space >= 0) return from + space + 1;
  const isWithinPair = /[\ud800-\udbff]/.test(text[at - 1] ?? '') && at > 1;
  return Math.max(1, isWithinPair ? at - 1 : at);
}
