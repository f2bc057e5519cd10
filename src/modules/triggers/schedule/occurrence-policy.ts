/** The policy for missed occurrences, which were due while no process started them: none, the newest, or the newest `maxMissed`. */
export type MissedPolicy = 'skip' | 'one' | 'all';

/** Occurrences that are at most this late are not missed. */
export const GRACE_MS = 60_000;

/** The occurrences to start, oldest first, and those that are only logged. */
export interface OccurrenceSelection {
  start: Date[];
  skip: Date[];
}

/** Divides the due occurrences, oldest first, by the policy. With `one`, a timely occurrence replaces the missed ones. */
export function selectOccurrences(
  due: readonly Date[],
  now: Date,
  policy: MissedPolicy,
  maxMissed: number,
): OccurrenceSelection {
  const isMissed = (occurrence: Date) => now.getTime() - occurrence.getTime() > GRACE_MS;
  const missed = due.filter(isMissed);
  const timely = due.filter(occurrence => !isMissed(occurrence));
  const kept = policy === 'all' ? maxMissed : policy === 'one' && timely.length === 0 ? 1 : 0;
  const from = Math.max(0, missed.length - kept);
  return { start: [...missed.slice(from), ...timely], skip: missed.slice(0, from) };
}
