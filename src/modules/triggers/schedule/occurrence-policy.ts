/** The policy for missed occurrences, which were due while no process started them: none, the newest, or the newest `maxMissed`. */
export type MissedPolicy = 'skip' | 'one' | 'all';

/** Occurrences that are at most this late are not missed. Their jitter does not make them late. */
export const GRACE_MS = 60_000;

/** The occurrences to start, oldest first, and those that are only logged. */
export interface OccurrenceSelection {
  start: Date[];
  skip: Date[];
}

/**
 * Divides the due occurrences, oldest first, by the policy. `startOf` returns the start of an occurrence with its jitter; it
 * does not start before earlier occurrences. With `one`, a timely occurrence replaces the missed ones.
 */
export function selectOccurrences(
  due: readonly Date[],
  now: Date,
  startOf: (occurrence: Date) => Date,
  policy: MissedPolicy,
  maxMissed: number,
): OccurrenceSelection {
  const missed: Date[] = [];
  const timely: Date[] = [];
  let latestStart = 0;
  for (const occurrence of due) {
    latestStart = Math.max(latestStart, startOf(occurrence).getTime());
    (now.getTime() - latestStart > GRACE_MS ? missed : timely).push(occurrence);
  }
  const kept = policy === 'all' ? maxMissed : policy === 'one' && timely.length === 0 ? 1 : 0;
  const from = Math.max(0, missed.length - kept);
  return { start: [...missed.slice(from), ...timely], skip: missed.slice(0, from) };
}
