import { LRUCache } from 'lru-cache';

/** The largest daylight-saving transition, in milliseconds. */
export const MAX_CHANGE_MS = 3 * 3_600_000;
const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;
/** Formatters are expensive to create. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

/** Difference between local time and UTC at a time, in milliseconds. Times are milliseconds since the epoch. */
export function offsetAt(timeZone: string, time: number): number {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    // Swedish dates have the order of ISO 8601: 2026-01-31 08:00:00.
    formatter = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    formatters.set(timeZone, formatter);
  }
  const second = Math.floor(time / SECOND_MS) * SECOND_MS;
  return Date.parse(`${formatter.format(second).replace(' ', 'T')}Z`) - second;
}

/**
 * Returns the time of a local time, which is given as if it were UTC. A local time that occurs twice means the first
 * occurrence. One that a daylight-saving transition skips is moved forward by the transition.
 */
export function timeOfLocal(timeZone: string, local: number): number {
  const before = local - offsetAt(timeZone, local - DAY_MS);
  const after = local - offsetAt(timeZone, local + DAY_MS);
  const isAt = (time: number) => time + offsetAt(timeZone, time) === local;
  const [first, second] = before < after ? [before, after] : [after, before];
  if (isAt(first)) return first;
  return isAt(second) ? second : before;
}

/** Returns the first time after `from` whose offset is that of `to`. Their offsets differ, and there is one transition between them. */
export function changeBetween(timeZone: string, from: number, to: number): number {
  const offset = offsetAt(timeZone, to);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(timeZone, middle) === offset) high = middle;
    else low = middle;
  }
  return high;
}

/** Returns whether a transition is near a time, so that local times may be repeated or skipped. */
export function isNearChange(timeZone: string, time: number): boolean {
  return offsetAt(timeZone, time - MAX_CHANGE_MS) !== offsetAt(timeZone, time + MAX_CHANGE_MS);
}
