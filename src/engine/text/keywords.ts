import { similarity } from './similarity.js';
import { type Term, termsOf } from './terms.js';
import type { TextWord } from './text-words.js';
import { sentencesOf } from './text-words.js';

/** Options of `keywordsOf`. */
export interface KeywordOptions {
  /** Maximum number of keywords. */
  count: number;
  /** Stopwords of the text's language, folded. No keyword begins or ends with one. */
  stopwords: ReadonlySet<string>;
  /** Returns true for a keyword to exclude. */
  isRefused?(keyword: string): boolean;
}

/** Maximum number of words of a keyword. */
const MAX_WORDS = 3;
const MAX_CHARACTERS = 255;
/** Similarity from which two keywords count as one. */
const SAME = 0.9;
/** Number of candidates to compare for each requested keyword. */
const COMPARED = 10;

interface Candidate {
  terms: Term[];
  /** Number of occurrences by spelling. */
  forms: Map<string, number>;
  count: number;
}

/**
 * Extracts the key phrases of a text, the best first, with YAKE: R. Campos, V. Mangaravite, A. Pasquali, A. Jorge, C.
 * Nunes, A. Jatowt, "YAKE! Keyword extraction from single documents using multiple local features", Information
 * Sciences 509 (2020). Word scores use only the text itself: casing, position, frequency, neighbors, and number of
 * sentences. The result is deterministic.
 */
export function keywordsOf(text: string, { count, stopwords, isRefused = () => false }: KeywordOptions): string[] {
  const sentences = sentencesOf(text, stopwords);
  const terms = termsOf(sentences);
  const candidates = candidatesOf(sentences, terms);
  const scored = [...candidates.values()]
    .map(candidate => ({ candidate, score: scoreOf(candidate) }))
    // The sort is stable: of equal scores the phrase that occurs first wins.
    .toSorted((a, b) => a.score - b.score);
  const keywords: string[] = [];
  const folded: string[] = [];
  for (const { candidate } of scored.slice(0, count * COMPARED)) {
    if (keywords.length === count) break;
    const keyword = formOf(candidate);
    const key = candidate.terms.map(({ key: word }) => word).join(' ');
    if (keyword.length > MAX_CHARACTERS || isRefused(keyword)) continue;
    if (folded.some(other => similarity(other, key) >= SAME)) continue;
    keywords.push(keyword);
    folded.push(key);
  }
  return keywords;
}

function candidatesOf(sentences: readonly TextWord[][], terms: ReadonlyMap<string, Term>): Map<string, Candidate> {
  const candidates = new Map<string, Candidate>();
  for (const sentence of sentences) {
    for (let from = 0; from < sentence.length; from++) {
      for (let to = from; to < Math.min(sentence.length, from + MAX_WORDS); to++) {
        if (to > from && !sentence[to]!.isJoined) break;
        if (sentence[to]!.isOdd) break;
        if (sentence[from]!.isStopword || sentence[to]!.isStopword) continue;
        add(candidates, sentence.slice(from, to + 1), terms);
      }
    }
  }
  return candidates;
}

function add(candidates: Map<string, Candidate>, words: readonly TextWord[], terms: ReadonlyMap<string, Term>): void {
  const key = words.map(word => word.key).join(' ');
  const form = words.map((word, at) => (at > 0 && !word.isUnspaced ? ` ${word.text}` : word.text)).join('');
  const existing = candidates.get(key);
  if (existing) {
    existing.count++;
    existing.forms.set(form, (existing.forms.get(form) ?? 0) + 1);
  } else
    candidates.set(key, {
      terms: words.map(word => terms.get(word.key)!),
      forms: new Map([[form, 1]]),
      count: 1,
    });
}

/** Score of a candidate; lower is better. */
function scoreOf({ terms, count }: Candidate): number {
  let product = 1;
  let sum = 0;
  for (const [at, term] of terms.entries()) {
    if (!term.isStopword) {
      product *= term.score;
      sum += term.score;
      continue;
    }
    // A stopword inside a phrase is scored by how strongly it binds its neighbors.
    const [before, after] = [terms[at - 1]!, terms[at + 1]!];
    const firmness =
      ((before.after.get(term.key) ?? 0) / before.count) * ((term.after.get(after.key) ?? 0) / after.count);
    product *= 1 + (1 - firmness);
    sum -= 1 - firmness;
  }
  return product / (count * Math.max(1 + sum, Number.EPSILON));
}

/** Returns the most frequent spelling; on a tie, the one with the fewest capital letters. */
function formOf({ forms }: Candidate): string {
  const capitals = (form: string) => form.match(/\p{Lu}/gu)?.length ?? 0;
  return [...forms].toSorted((a, b) => b[1] - a[1] || capitals(a[0]) - capitals(b[0]))[0]![0];
}
