/** Letters and digits, with what joins them into one word: "e-mail", "don’t", "Node.js", "C++". */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’.\-_&][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*[+#]*/gu;

/** Scripts that put no spaces between words: a dictionary tells where one ends. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const words = new Intl.Segmenter('und', { granularity: 'word' });

export interface Word {
  text: string;
  /** Whether nothing but a space stands between it and the word before. */
  isJoined: boolean;
}

/** The words of a text in their order. */
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

export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}

/** A word as it is compared: in lower case, its letters in one form. */
export function foldWord(word: string): string {
  return word.normalize('NFKC').toLowerCase().replaceAll('’', "'");
}

/** The words of a text as they are compared. */
export function foldedWords(text: string): string[] {
  return [...wordsOf(text)].map(({ text: word }) => foldWord(word));
}
