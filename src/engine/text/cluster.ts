import { foldedWords, foldWord, isUnspaced } from './words.js';

export interface Clusterable {
  name: string;
  /** The greater the stronger; of two as strong the first one counts. */
  strength: number;
}

export interface Cluster {
  /** The strongest member. */
  name: string;
  /** Places of the members in the given list, ascending. */
  members: number[];
}

/** Clusters are joined as long as their members are, on average, at least so alike (0-1). */
const LEAST_SIMILARITY = 0.15;
const GRAM = 3;

/**
 * Keywords that speak of the same thing, in groups: each word is taken apart into runs of three characters, so that forms
 * of one word are alike in any language; these are weighed by TF-IDF, compared by cosine, and joined by average linkage
 * (UPGMA) with a nearest-neighbour chain, in the square of their number. The same keywords make the same groups, each
 * keyword is in one. The largest first, then the one whose first member comes first.
 */
export function clustersOf(keywords: readonly Clusterable[], stopwords: ReadonlySet<string> = new Set()): Cluster[] {
  const vectors = vectorsOf(keywords.map(({ name }) => gramsOf(name, stopwords)));
  const groups = joined(similarities(vectors), keywords.length);
  return groups
    .map(members => {
      const strongest = members.reduce((best, at) => (keywords[at]!.strength > keywords[best]!.strength ? at : best));
      return { name: keywords[strongest]!.name, members };
    })
    .toSorted((a, b) => b.members.length - a.members.length || a.members[0]! - b.members[0]!);
}

/** What a keyword is made of, and how often. A keyword of nothing but stopwords is what it is. */
function gramsOf(name: string, stopwords: ReadonlySet<string>): Map<string, number> {
  const all = foldedWords(name);
  const meaning = all.filter(word => !stopwords.has(word));
  const grams = new Map<string, number>();
  const raise = (gram: string, by: number) => grams.set(gram, (grams.get(gram) ?? 0) + by);
  for (const word of meaning.length > 0 ? meaning : all.length > 0 ? all : [foldWord(name)]) {
    const letters = [...` ${withoutMarks(word)} `];
    const size = isUnspaced(word) ? 2 : GRAM;
    const count = Math.max(1, letters.length - size + 1);
    // A word counts the same however long it is.
    for (let at = 0; at < count; at++) raise(letters.slice(at, at + size).join(''), 1 / Math.sqrt(count));
  }
  return grams;
}

function withoutMarks(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '');
}

type Vector = [gram: string, weight: number][];

/** Weighed by how few keywords hold a gram, each vector of length 1. */
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

/** The cosine of each two, as a square matrix by rows. */
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

/** Groups of places, by average linkage. `matrix` is used up. */
function joined(matrix: Float64Array, size: number): number[][] {
  const groups = new Map(Array.from({ length: size }, (_, at): [number, number[]] => [at, [at]]));
  const chain: number[] = [];
  // Groups that nothing is near enough to any more: average linkage never makes them nearer.
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
      // What came before may have been near to it and to nothing else.
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

/** The group that is most like another, if it is enough; of several the one before in the chain, else the first. */
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
