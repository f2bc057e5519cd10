import { foldedWords, foldWord } from './words.js';

/** Phrases that a project excludes from keywords. */
export class Stopwords {
  /** Phrases by first word. */
  readonly #phrases = new Map<string, string[][]>();

  constructor(phrases: Iterable<string>) {
    for (const phrase of phrases) {
      const words = foldedWords(phrase);
      const [first] = words;
      if (first === undefined) continue;
      const existing = this.#phrases.get(first);
      if (existing) existing.push(words);
      else this.#phrases.set(first, [words]);
    }
  }

  /** Returns true if a keyword contains one of the phrases as whole words. */
  matches(keyword: string): boolean {
    if (this.#phrases.size === 0) return false;
    const words = foldedWords(keyword);
    return words.some((word, at) =>
      this.#phrases.get(word)?.some(phrase => phrase.every((part, index) => words[at + index] === part)),
    );
  }
}

/** Minimum share of words in a list. A smaller share may match another language by chance. */
const MIN_SHARE = 0.08;

/**
 * Returns the stopword list that matches the language of the text: the list with most of its words. Returns an empty
 * set if no list contains 8 % of them.
 */
export function selectStopwords(text: string, lists: Iterable<ReadonlySet<string>>): ReadonlySet<string> {
  const words = foldedWords(text);
  let best: ReadonlySet<string> = new Set();
  let highestScore = 0;
  for (const list of lists) {
    let count = 0;
    for (const word of words) if (list.has(word)) count++;
    // Lists differ in length. With similar matches the shorter list is stronger evidence.
    const score = count / Math.log10(10 + list.size);
    if (count > words.length * MIN_SHARE && score > highestScore) {
      highestScore = score;
      best = list;
    }
  }
  return best;
}

/** Folds a list of stopwords for comparison with texts. */
export function foldStopwords(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.map(foldWord));
}
