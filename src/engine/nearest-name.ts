/** Longer names are not compared, so that the work is bounded. */
const MAX_LENGTH = 64;

/**
 * Returns the known name that a misspelt name probably means; undefined: none is near. A name is near if at most a
 * third of its characters differ by insertions, deletions, substitutions or swapped adjacent characters, ignoring case.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name === '' || name.length > MAX_LENGTH) return undefined;
  const wanted = toComparable(name);
  let nearest: string | undefined;
  let minDistance = Math.floor(name.length / 3) + 1;
  for (const candidate of known) {
    // A difference of one character is always compared, because `_` and `-` do not count.
    if (candidate === name || Math.abs(candidate.length - name.length) >= Math.max(minDistance, 2)) continue;
    const found = distance(wanted, toComparable(candidate));
    if (found < minDistance) [nearest, minDistance] = [candidate, found];
  }
  return nearest;
}

/** Describes an unknown member, with the known name that it probably means. */
export function unknownMember(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
  return `unknown member ${JSON.stringify(name.slice(0, 100))}${hint}`;
}

/** Spellings in camel case and in snake case are equal. */
function toComparable(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** Optimal string alignment distance. */
function distance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const isEqual = a[i - 1] === b[j - 1];
      const min = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (isEqual ? 0 : 1));
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      current[j] = isSwap ? Math.min(min, beforePrevious[j - 2]! + 1) : min;
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[b.length]!;
}
