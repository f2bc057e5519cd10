import type { TextWord } from './text-words.js';

/** Statistics of one word in a text. */
export interface Term {
  key: string;
  isStopword: boolean;
  /** Number of occurrences. */
  count: number;
  /** Number of occurrences as an acronym. */
  acronyms: number;
  /** Number of occurrences with a capital letter inside a sentence. */
  names: number;
  /** Indexes of the sentences that contain the word, ascending and unique. */
  sentences: number[];
  /** Number of occurrences of each word directly in front of and behind it. */
  before: Map<string, number>;
  after: Map<string, number>;
  /** Score H of the YAKE paper; lower is more relevant. */
  score: number;
}

/** Computes the YAKE features and scores of all words of a text. */
export function termsOf(sentences: readonly TextWord[][]): Map<string, Term> {
  const terms = new Map<string, Term>();
  for (const [number, sentence] of sentences.entries()) {
    for (const [at, word] of sentence.entries()) {
      const term = addTerm(terms, word, number);
      const previous = sentence[at - 1];
      if (!previous || !word.isJoined || word.isOdd || previous.isOdd) continue;
      increment(term.before, previous.key);
      increment(terms.get(previous.key)!.after, word.key);
    }
  }
  scoreTerms([...terms.values()], sentences.length);
  return terms;
}

function addTerm(terms: Map<string, Term>, { key, isStopword, isAcronym, isName }: TextWord, sentence: number): Term {
  let term = terms.get(key);
  if (!term) {
    const neighbors = { before: new Map<string, number>(), after: new Map<string, number>() };
    term = { key, isStopword, count: 0, acronyms: 0, names: 0, sentences: [], ...neighbors, score: 0 };
    terms.set(key, term);
  }
  term.count++;
  if (isAcronym) term.acronyms++;
  if (isName) term.names++;
  if (term.sentences.at(-1) !== sentence) term.sentences.push(sentence);
  return term;
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Computes the score from casing, position, frequency, relatedness to neighbors and share of sentences, as in the paper. */
function scoreTerms(terms: readonly Term[], sentenceCount: number): void {
  const counts = terms.filter(({ isStopword }) => !isStopword).map(({ count }) => count);
  if (counts.length === 0) return;
  const maxCount = terms.reduce((max, { count }) => Math.max(max, count), 1);
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const deviation = Math.sqrt(counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length);
  for (const term of terms) {
    const casing = Math.max(term.acronyms, term.names) / (1 + Math.log(term.count));
    const place = Math.log(Math.log(3 + median(term.sentences)));
    const frequency = term.count / (mean + deviation);
    const share = term.count / maxCount;
    const relatedness = 1 + (variety(term.before) + variety(term.after)) * share;
    const spread = term.sentences.length / sentenceCount;
    term.score = (relatedness * place) / (casing + frequency / relatedness + spread / relatedness);
  }
}

/** Distinct neighbors per neighbor. A word with many different neighbors carries little meaning. */
function variety(neighbors: ReadonlyMap<string, number>): number {
  let all = 0;
  for (const count of neighbors.values()) all += count;
  return all === 0 ? 0 : neighbors.size / all;
}

function median(ascending: readonly number[]): number {
  const middle = ascending.length >> 1;
  const upper = ascending[middle] ?? 0;
  return ascending.length % 2 === 1 ? upper : ((ascending[middle - 1] ?? 0) + upper) / 2;
}
