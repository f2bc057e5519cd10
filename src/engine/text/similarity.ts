/**
 * Returns the similarity of two texts from 0 to 1: one minus the Levenshtein distance divided by the longer length. If one
 * text is less than half as long as the other, only an upper bound below 0.5 is returned.
 */
export function similarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 1;
  // The distance is at least the difference in length.
  const bound = Math.min(a.length, b.length) / longer;
  if (bound < 0.5) return bound;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return 1 - row[b.length]! / longer;
}
