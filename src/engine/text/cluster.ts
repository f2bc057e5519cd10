import { foldedWords, foldWord, isUnspaced } from './words.js';

/** A keyword to cluster. */
export interface Clusterable {
  name: string;
  /** A cluster has the name of its strongest keyword. Of equally strong keywords, the first in the list counts. */
  strength: number;
}

/** A group of similar keywords. */
export interface Cluster {
  /** Name of the strongest member. */
  name: string;
  /** Indexes of the members in the input list, ascending. */
  members: number[];
}

/** Clusters are merged while their average similarity (0-1) is at least this value. */
const MIN_SIMILARITY = 0.15;
const GRAM_SIZE = 3;
const UNSPACED_GRAM_SIZE = 2;

/**
 * Groups keywords that are about the same subject. Words are split into trigrams (bigrams in scripts without spaces),
 * so that inflected forms match in any language. The n-grams are weighted by TF-IDF and compared by cosine similarity.
 * Clusters are merged by average linkage (UPGMA) with a nearest-neighbor chain, in quadratic time. The result is
 * deterministic: the largest cluster comes first; clusters of equal size are in the order of their first members.
 */
export function clustersOf(keywords: readonly Clusterable[], stopwords: ReadonlySet<string> = new Set()): Cluster[] {
  const vectors = vectorsOf(keywords.map(({ name }) => gramsOf(name, stopwords)));
  const groups = mergeClusters(similarities(vectors), keywords.length);
  return groups
    .map(members => {
      const strongest = members.reduce((best, at) => (keywords[at]!.strength > keywords[best]!.strength ? at : best));
      return { name: keywords[strongest]!.name, members };
    })
    .toSorted((a, b) => b.members.length - a.members.length || a.members[0]! - b.members[0]!);
}

/**
 * Returns the character n-grams of a keyword with their weights. Stopwords are ignored unless the keyword has no other
 * words.
 */
function gramsOf(name: string, stopwords: ReadonlySet<string>): Map<string, number> {
  const all = foldedWords(name);
  const contentWords = all.filter(word => !stopwords.has(word));
  const words = contentWords.length > 0 ? contentWords : all;
  const grams = new Map<string, number>();
  const addWeight = (gram: string, by: number) => grams.set(gram, (grams.get(gram) ?? 0) + by);
  for (const word of words.length > 0 ? words : [foldWord(name)]) {
    const letters = [...` ${withoutMarks(word)} `];
    const size = isUnspaced(word) ? UNSPACED_GRAM_SIZE : GRAM_SIZE;
    const count = Math.max(1, letters.length - size + 1);
    // Every word has the same weight, independent of its length.
    for (let at = 0; at < count; at++) addWeight(letters.slice(at, at + size).join(''), 1 / Math.sqrt(count));
  }
  return grams;
}

function withoutMarks(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '');
}

type Vector = [gram: string, weight: number][];

/** Weights each n-gram by inverse document frequency and normalizes each vector to length 1. */
function vectorsOf(documents: readonly Map<string, number>[]): Vector[] {
  const documentCounts = new Map<string, number>();
  for (const grams of documents)
    for (const gram of grams.keys()) documentCounts.set(gram, (documentCounts.get(gram) ?? 0) + 1);
  return documents.map(grams => {
    const weighed = [...grams].map(([gram, count]): [string, number] => [
      gram,
      count * Math.log(1 + documents.length / documentCounts.get(gram)!),
    ]);
    const length = Math.hypot(...weighed.map(([, weight]) => weight)) || 1;
    return weighed.map(([gram, weight]) => [gram, weight / length]);
  });
}

/** Returns the cosine similarity of each pair as a square matrix in row order. */
function similarities(vectors: readonly Vector[]): Float64Array {
  const size = vectors.length;
  const matrix = new Float64Array(size * size);
  const postings = new Map<string, [at: number, weight: number][]>();
  for (const [at, vector] of vectors.entries()) {
    for (const [gram, weight] of vector) {
      const earlier = postings.get(gram);
      if (!earlier) {
        postings.set(gram, [[at, weight]]);
        continue;
      }
      for (const [other, othersWeight] of earlier) matrix[at * size + other]! += weight * othersWeight;
      earlier.push([at, weight]);
    }
  }
  for (let a = 0; a < size; a++) for (let b = 0; b < a; b++) matrix[b * size + a] = matrix[a * size + b]!;
  return matrix;
}

/** Merges indexes into clusters by average linkage. Overwrites `matrix`. */
function mergeClusters(matrix: Float64Array, size: number): number[][] {
  const groups = new Map(Array.from({ length: size }, (_, at): [number, number[]] => [at, [at]]));
  const chain: number[] = [];
  // Clusters without a sufficiently similar neighbor. They are final: average linkage never increases their similarity.
  const done: number[][] = [];
  while (groups.size > 0) {
    if (chain.length === 0) chain.push(groups.keys().next().value!);
    const top = chain.at(-1)!;
    const previous = chain.at(-2);
    const nearest = nearestTo(top, previous, groups, matrix, size);
    if (nearest === undefined) {
      done.push(groups.get(top)!);
      groups.delete(top);
      // It is the only cluster of the chain, because every later one has the previous one as a neighbor.
      chain.pop();
      continue;
    }
    if (nearest !== previous) {
      chain.push(nearest);
      continue;
    }
    chain.splice(-2);
    merge(Math.min(top, nearest), Math.max(top, nearest), groups, matrix, size);
  }
  return done.map(members => members.toSorted((a, b) => a - b));
}

/**
 * Returns the most similar cluster, or undefined if none reaches MIN_SIMILARITY. Ties go to the previous cluster in the
 * chain, then to the first.
 */
function nearestTo(
  group: number,
  previous: number | undefined,
  groups: ReadonlyMap<number, number[]>,
  matrix: Float64Array,
  size: number,
): number | undefined {
  let nearest = previous;
  let maxSimilarity = previous === undefined ? MIN_SIMILARITY : matrix[group * size + previous]!;
  for (const other of groups.keys()) {
    if (other === group) continue;
    const similarity = matrix[group * size + other]!;
    if (similarity > maxSimilarity || (nearest === undefined && similarity === maxSimilarity)) {
      maxSimilarity = similarity;
      nearest = other;
    }
  }
  return nearest;
}

function merge(into: number, from: number, groups: Map<number, number[]>, matrix: Float64Array, size: number): void {
  const [mine, theirs] = [groups.get(into)!, groups.get(from)!];
  groups.delete(from);
  const share = mine.length / (mine.length + theirs.length);
  for (const other of groups.keys()) {
    if (other === into) continue;
    const similarity = share * matrix[into * size + other]! + (1 - share) * matrix[from * size + other]!;
    matrix[into * size + other] = similarity;
    matrix[other * size + into] = similarity;
  }
  mine.push(...theirs);
}
