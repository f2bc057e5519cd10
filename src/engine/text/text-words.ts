import { foldWord, isUnspaced, wordsOf } from './words.js';

/** A word with its properties at one position of a text. */
export interface TextWord {
  text: string;
  /** Folded form for comparison. */
  key: string;
  isStopword: boolean;
  /** True for numbers and mixed tokens; no keyword contains one. */
  isOdd: boolean;
  isAcronym: boolean;
  /** True if it begins with a capital letter inside a sentence. */
  isName: boolean;
  /** True if at most a space separates it from the previous word. */
  isJoined: boolean;
  /** True for scripts without spaces between words. */
  isUnspaced: boolean;
}

/** Alphabetic words shorter than this count as stopwords. */
const SHORT = 3;
const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });

/** Splits a text into sentences of words. A line break also ends a sentence. */
export function sentencesOf(text: string, stopwords: ReadonlySet<string>): TextWord[][] {
  const read: TextWord[][] = [];
  for (const line of text.split('\n')) {
    for (const { segment } of sentences.segment(line.trim())) {
      const words = [...wordsOf(segment)].map((word, at) => textWord(word.text, word.isJoined, at === 0, stopwords));
      if (words.length > 0) read.push(words);
    }
  }
  return read;
}

function textWord(text: string, isJoined: boolean, isFirst: boolean, stopwords: ReadonlySet<string>): TextWord {
  const key = foldWord(text);
  const unspaced = isUnspaced(text);
  const isAcronym = text.length > 1 && /^\p{Lu}+$/u.test(text);
  const isShort = text.length < SHORT && !isAcronym && !unspaced;
  return {
    text,
    key,
    isStopword: isShort || stopwords.has(key),
    isOdd: !/\p{L}/u.test(text) || /\p{N}[^\p{N}\p{L}]*\p{L}[^\p{N}]*\p{N}|_/u.test(text),
    isAcronym,
    isName: !isFirst && !isAcronym && /^\p{Lu}/u.test(text),
    isJoined,
    isUnspaced: unspaced,
  };
}
