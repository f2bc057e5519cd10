import { failure } from '../evaluation.js';

export const DAY_MS = 86_400_000;
/** Largest time value of ECMAScript, in milliseconds. */
export const MAX_TIME = 8.64e15;
export const YEARS_FAULT = 'a date is in the years 1 to 9999';
const MAX_CACHED = 100;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = createFormat(zone);
    const [oldest] = formats.keys();
    if (oldest !== undefined && formats.size >= MAX_CACHED) formats.delete(oldest);
    formats.set(zone, format);
  }
  return format;
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw failure('a time zone is a name such as "UTC" or "Europe/Rome"');
  }
}

/**
 * Returns the offset of the zone from UTC at an instant, in milliseconds. Throws a TemplateError for an unknown zone, and for an
 * instant whose local time is no time value.
 */
export function zoneOffset(instant: number, zone: string): number {
  if (zone === 'UTC') return 0;
  if (zone.length > 64) throw failure('a time zone is a name such as "UTC" or "Europe/Rome"');
  if (!(Math.abs(instant) <= MAX_TIME - DAY_MS)) throw failure(YEARS_FAULT);
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  const year = parts.get('era') === 'BC' ? 1 - number('year') : number('year');
  const local = utcMs(year, number('month') - 1, number('day'), number('hour'), number('minute'), number('second'));
  return local - Math.floor(instant / 1000) * 1000;
}

/** Like `Date.UTC`, also for years before 100. */
export function utcMs(year: number, month: number, day: number, hour = 0, minute = 0, second = 0, ms = 0): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  date.setUTCHours(hour, minute, second, ms);
  return date.getTime();
}

/**
 * Returns the instant of a local time, given as if it were UTC. A time that occurs twice means the first occurrence. A
 * time that a daylight-saving transition skips is moved forward by the transition.
 */
export function toInstant(local: number, zone: string): number {
  const before = zoneOffset(local - DAY_MS, zone);
  const after = zoneOffset(local + DAY_MS, zone);
  const early = local - before;
  if (before === after || zoneOffset(early, zone) === before) return early;
  const late = local - after;
  return zoneOffset(late, zone) === after ? late : early;
}
