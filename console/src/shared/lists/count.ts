/** A number with its noun: "1 entry", "1,200 entries". `plural` is the noun of other numbers; default: with "s". */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}
