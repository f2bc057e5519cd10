import { similarity } from './similarity.js';
import { type Term, termsOf } from './terms.js';
import type { TextWord } from './text-words.js';
import { sentencesOf } from './text-words.js';

export interface KeywordOptions {
  /** Most keywords. */
  count: number;
  /** Of the text's language, folded: no keyword begins or ends with one. */
  stopwords: ReadonlySet<string>;
  /** Keywords that are not wanted. */
  isRefused?(keyword: string): boolean;
}

/** Words of a keyword, at most. */
const MOST_WORDS = 3;
const MOST_CHARACTERS = 255;
/** Two keywords that are so alike are one. */
const SAME = 0.9;
/** Candidates that are compared with each other, for each keyword that is asked for. */
const COMPARED = 10;

interface Candidate {
  terms: Term[];
  /** How often it is written in which way. */
  forms: Map<string, number>;
  count: number;
}

/**
 * The key phrases of a text, the best first, by YAKE: R. Campos, V. Mangaravite, A. Pasquali, A. Jorge, C. Nunes,
 * A. Jatowt, "YAKE! Keyword extraction from single documents using multiple local features", Information Sciences 509
 * (2020). Words are weighed by what the text alone tells: case, place, frequency, the words beside them and the number of
 * sentences they are in. The same text has the same phrases.
 */
export function keywordsOf(text: string, { count, stopwords, isRefused = () => false }: KeywordOptions): string[] {
  const sentences = sentencesOf(text, stopwords);
  const terms = termsOf(sentences);
  const candidates = candidatesOf(sentences, terms);
  const scored = [...candidates.values()]
    .map(candidate => ({ candidate, score: scoreOf(candidate) }))
    // Where two are as good, the one that came first in the text stays first.
    .toSorted((a, b) => a.score - b.score);
  const chosen: string[] = [];
  const folded: string[] = [];
  for (const { candidate } of scored.slice(0, count * COMPARED)) {
    if (chosen.length === count) break;
    const keyword = formOf(candidate);
    const key = candidate.terms.map(({ key: word }) => word).join(' ');
    if (keyword.length > MOST_CHARACTERS || isRefused(keyword)) continue;
    if (folded.some(other => similarity(other, key) >= SAME)) continue;
    chosen.push(keyword);
    folded.push(key);
  }
  return chosen;
}

function candidatesOf(sentences: readonly TextWord[][], terms: ReadonlyMap<string, Term>): Map<string, Candidate> {
  const candidates = new Map<string, Candidate>();
  for (const sentence of sentences) {
    for (let from = 0; from < sentence.length; from++) {
      for (let to = from; to < Math.min(sentence.length, from + MOST_WORDS); to++) {
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
  const known = candidates.get(key);
  if (known) {
    known.count++;
    known.forms.set(form, (known.forms.get(form) ?? 0) + 1);
  } else
    candidates.set(key, {
      terms: words.map(word => terms.get(word.key)!),
      forms: new Map([[form, 1]]),
      count: 1,
    });
}

/** The lower the better. */
function scoreOf({ terms, count }: Candidate): number {
  let product = 1;
  let sum = 0;
  for (const [at, term] of terms.entries()) {
    if (!term.isStopword) {
      product *= term.score;
      sum += term.score;
      continue;
    }
    // A stopword within counts by how firmly it holds its neighbours together.
    const [before, after] = [terms[at - 1]!, terms[at + 1]!];
    const firmness =
      ((before.after.get(term.key) ?? 0) / before.count) * ((term.after.get(after.key) ?? 0) / after.count);
    product *= 1 + (1 - firmness);
    sum -= 1 - firmness;
  }
  return product / (count * Math.max(1 + sum, Number.EPSILON));
}

/** As it is written most often; where that is open, with the fewest capitals. */
function formOf({ forms }: Candidate): string {
  const capitals = (form: string) => form.match(/\p{Lu}/gu)?.length ?? 0;
  return [...forms].toSorted((a, b) => b[1] - a[1] || capitals(a[0]) - capitals(b[0]))[0]![0];
}
