import { foldedWords, foldWord, isUnspaced } from './words.js';

/** A keyword with its weight. */
/** A group of similar keywords. */
export interface Clusterable {
  name: string;
  /** Higher is stronger. With equal strength the first keyword wins. */
  strength: number;
}

export interface Cluster {
  /** Name of the strongest member. */
  name: string;
  /** Indexes of the members in the input list, ascending. */
  members: number[];
}

/** Clusters are merged while their average similarity (0-1) is at least this value. */
const LEAST_SIMILARITY = 0.15;
const GRAM = 3;

/**
 * Groups keywords that are about the same subject. Words are split into trigrams, so that inflected forms match in any
 * language. Trigrams are weighted by TF-IDF and compared by cosine similarity. Clusters are merged by average linkage
 * (UPGMA) with a nearest-neighbor chain, in quadratic time. The result is deterministic. The largest cluster comes
 * first, then the one with the first member.
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

/** Returns the character n-grams of a keyword with their weights. A keyword of stopwords only keeps all of them. */
function gramsOf(name: string, stopwords: ReadonlySet<string>): Map<string, number> {
  const all = foldedWords(name);
  const meaning = all.filter(word => !stopwords.has(word));
  const grams = new Map<string, number>();
  const raise = (gram: string, by: number) => grams.set(gram, (grams.get(gram) ?? 0) + by);
  for (const word of meaning.length > 0 ? meaning : all.length > 0 ? all : [foldWord(name)]) {
    const letters = [...` ${withoutMarks(word)} `];
    const size = isUnspaced(word) ? 2 : GRAM;
    const count = Math.max(1, letters.length - size + 1);
    // Every word has the same weight, independent of its length.
    for (let at = 0; at < count; at++) raise(letters.slice(at, at + size).join(''), 1 / Math.sqrt(count));
  }
  return grams;
}

function withoutMarks(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '');
}

type Vector = [gram: string, weight: number][];

/** Weights each n-gram by inverse document frequency and normalizes each vector to length 1. */
function vectorsOf(documents: readonly Map<string, number>[]): Vector[] {
  const holders = new Map<string, number>();
  for (const grams of documents) for (const gram of grams.keys()) holders.set(gram, (holders.get(gram) ?? 0) + 1);
  return documents.map(grams => {
    const weighed = [...grams].map(([gram, count]): [string, number] => [
      gram,
      count * Math.log(1 + documents.length / holders.get(gram)!),
    ]);
    const length = Math.hypot(...weighed.map(([, weight]) => weight)) || 1;
    return weighed.map(([gram, weight]) => [gram, weight / length]);
  });
}

/** Returns the cosine similarity of each pair as a square matrix in row order. */
function similarities(vectors: readonly Vector[]): Float64Array {
  const size = vectors.length;
  const matrix = new Float64Array(size * size);
  const holders = new Map<string, [at: number, weight: number][]>();
  for (const [at, vector] of vectors.entries()) {
    for (const [gram, weight] of vector) {
      const earlier = holders.get(gram);
      if (!earlier) {
        holders.set(gram, [[at, weight]]);
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
  // Clusters without a sufficiently similar neighbor. Average linkage never increases their similarity.
  const done: number[][] = [];
  while (groups.size > 0) {
    if (chain.length === 0) chain.push(groups.keys().next().value!);
    const top = chain.at(-1)!;
    const previous = chain.at(-2);
    const nearest = nearestTo(top, previous, groups, matrix, size);
    if (nearest === undefined) {
      done.push(groups.get(top)!);
      groups.delete(top);
      chain.pop();
      // The previous cluster of the chain is examined again, because its nearest neighbor may have been this one.
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
 * Returns the most similar cluster above the threshold. Ties go to the previous cluster in the chain, then to the
 * first.
 */
function nearestTo(
  group: number,
  previous: number | undefined,
  groups: ReadonlyMap<number, number[]>,
  matrix: Float64Array,
  size: number,
): number | undefined {
  let nearest = previous;
  let most = previous === undefined ? LEAST_SIMILARITY : matrix[group * size + previous]!;
  for (const other of groups.keys()) {
    if (other === group) continue;
    const similarity = matrix[group * size + other]!;
    if (similarity > most || (nearest === undefined && similarity === most)) {
      most = similarity;
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
