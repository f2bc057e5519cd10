/** A word: letters and digits with inner punctuation, such as "e-mail", "don’t", "Node.js", "C++". */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’.\-_&][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*[+#]*/gu;

/** A character of a script without spaces between words. A dictionary determines the word boundaries. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const words = new Intl.Segmenter('und', { granularity: 'word' });

/** A word of a text. */
export interface Word {
  text: string;
  /** True if at most a space separates it from the previous word. */
  isJoined: boolean;
}

/** Splits a text into words, in order. */
export function* wordsOf(text: string): Generator<Word> {
  let end = -1;
  for (const match of text.matchAll(WORD)) {
    const between = end < 0 ? null : text.slice(end, match.index);
    const isJoined = between !== null && /^[ \t\u00a0]?$/.test(between);
    end = match.index + match[0].length;
    if (!UNSPACED.test(match[0])) yield { text: match[0], isJoined };
    else
      for (const { segment, index, isWordLike } of words.segment(match[0]))
        if (isWordLike) yield { text: segment, isJoined: index > 0 || isJoined };
  }
}

/** Returns true if a text contains a character of a script without spaces between words. */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}

/** Folds a word for comparison: Unicode form NFKC, lower case, straight apostrophes. */
export function foldWord(word: string): string {
  return word.normalize('NFKC').toLowerCase().replaceAll('’', "'");
}

/** Returns the folded words of a text. */
export function foldedWords(text: string): string[] {
  return [...wordsOf(text)].map(({ text: word }) => foldWord(word));
}
