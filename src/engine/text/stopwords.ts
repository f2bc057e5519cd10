import { foldedWords, foldWord } from './words.js';

/** Words that a project wants in no keyword; each may be several words in a row. */
export class Stopwords {
  /** By their first words. */
  readonly #phrases = new Map<string, string[][]>();

  constructor(phrases: Iterable<string>) {
    for (const phrase of phrases) {
      const words = foldedWords(phrase);
      const [first] = words;
      if (first === undefined) continue;
      const known = this.#phrases.get(first);
      if (known) known.push(words);
      else this.#phrases.set(first, [words]);
    }
  }

  /** Whether a keyword holds one of them as whole words. */
  areIn(keyword: string): boolean {
    if (this.#phrases.size === 0) return false;
    const words = foldedWords(keyword);
    return words.some((word, at) =>
      this.#phrases.get(word)?.some(phrase => phrase.every((part, index) => words[at + index] === part)),
    );
  }
}

/** A smaller part of a text may be words of another language's list by chance. */
const SURE = 0.08;

/**
 * The list of the language that a text is in: the one that most of its words are from. Empty where none has a twelfth of
 * them.
 */
export function stopwordsOf(text: string, lists: Iterable<ReadonlySet<string>>): ReadonlySet<string> {
  const words = foldedWords(text);
  let best: ReadonlySet<string> = new Set();
  let most = 0;
  for (const list of lists) {
    let count = 0;
    for (const word of words) if (list.has(word)) count++;
    // Lists differ in length: of two that fit alike the shorter one says more.
    const worth = count / Math.log10(10 + list.size);
    if (count > words.length * SURE && worth > most) {
      most = worth;
      best = list;
    }
  }
  return best;
}

/** A list of stopwords as texts are held against it. */
export function listOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.map(foldWord));
}
