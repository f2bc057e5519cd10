/**
 * Durations are counted in classes: class n includes 1.1^n to 1.1^(n+1) milliseconds. A quantile is therefore exact
 * within 5 %.
 */
export const CLASS_RATIO = 1.1;

/** The number of runs of each duration class. */
export type DurationCounts = ReadonlyMap<number, number>;

/** Returns the duration in milliseconds that `share` (0-1) of the runs did not exceed, null without runs. */
export function quantileMs(counts: DurationCounts, share: number): number | null {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let remaining = share * total;
  for (const [durationClass, count] of [...counts].sort(([left], [right]) => left - right)) {
    remaining -= count;
    if (remaining <= 0) return Math.round(CLASS_RATIO ** (durationClass + 0.5));
  }
  return null;
}
