import { foldWord, isUnspaced, wordsOf } from './words.js';

/** A word where it stands in a text. */
export interface TextWord {
  text: string;
  /** As it is compared. */
  key: string;
  isStopword: boolean;
  /** Numbers, and mixtures that are no words: no keyword holds one. */
  isOdd: boolean;
  isAcronym: boolean;
  /** Begins with a capital, and not because a sentence does. */
  isName: boolean;
  /** Whether nothing but a space stands between it and the word before. */
  isJoined: boolean;
  /** Of a script that puts no space before it. */
  isUnspaced: boolean;
}

/** Shorter words of scripts with an alphabet mean little by themselves. */
const SHORT = 3;
const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });

/** The words of a text, sentence by sentence; a line that is broken off ends a sentence as well. */
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
