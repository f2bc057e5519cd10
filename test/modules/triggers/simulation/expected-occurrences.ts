import { type SimulatedSchedule, YEAR } from './simulated-schedule.js';

const HALF_HOUR = 1_800_000;
/**
 * Milliseconds in front of and after the year. Half of it exceeds the largest offset of a time zone (14 h), so all local
 * times of the year are tried; with the other half, `first` contains them all.
 */
const MARGIN = 100 * HALF_HOUR;

/** Local times, as if they were UTC, of all half hours of the year. */
interface LocalTimes {
  all: { time: number; local: number }[];
  /** The first time of each local time. */
  first: Map<number, number>;
}

const zones = new Map<string, LocalTimes>();

/** Returns the occurrences in the simulated year. Tests each half hour, unlike the service. */
export function expectedOccurrences(schedule: SimulatedSchedule): number[] {
  const zone = localTimes(schedule.timeZone);
  const times = schedule.hours === '*' ? everyHour(schedule, zone) : fixedHours(schedule, zone);
  return [...new Set(times)].filter(time => time >= YEAR.start && time < YEAR.end).toSorted((a, b) => a - b);
}

function everyHour(schedule: SimulatedSchedule, { all }: LocalTimes): number[] {
  return all.filter(({ local }) => matches(schedule, local)).map(({ time }) => time);
}

/**
 * A repeated local time counts once, at its first time. A local time that a daylight-saving transition skips is moved
 * forward by the length of the gap (cron), or does not occur (RFC 5545, section 3.3.10).
 */
function fixedHours(schedule: SimulatedSchedule, { first }: LocalTimes): number[] {
  const times: number[] = [];
  for (let local = YEAR.start - MARGIN / 2; local < YEAR.end + MARGIN / 2; local += HALF_HOUR) {
    if (!matches(schedule, local)) continue;
    let existing = local;
    while (!first.has(existing)) existing -= HALF_HOUR;
    if (existing === local || schedule.form === 'cron') times.push(first.get(existing)! + local - existing);
  }
  return times;
}

function matches({ minutes, hours, weekdays }: SimulatedSchedule, local: number): boolean {
  const date = new Date(local);
  return (
    minutes.includes(date.getUTCMinutes()) &&
    (hours === '*' || hours.includes(date.getUTCHours())) &&
    (weekdays === '*' || weekdays.includes(date.getUTCDay()))
  );
}

function localTimes(timeZone: string): LocalTimes {
  const known = zones.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const all: LocalTimes['all'] = [];
  const first: LocalTimes['first'] = new Map();
  for (let time = YEAR.start - MARGIN; time < YEAR.end + MARGIN; time += HALF_HOUR) {
    const local = Date.parse(`${format.format(time).replace(' ', 'T')}Z`);
    all.push({ time, local });
    if (!first.has(local)) first.set(local, time);
  }
  zones.set(timeZone, { all, first });
  return { all, first };
}
