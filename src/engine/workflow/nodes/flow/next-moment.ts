import { parseIsoDate } from '../../../expressions/functions/date-patterns.js';
import { DAY_MS, toInstant, zoneOffset } from '../../../expressions/functions/time-zone.js';

/** `zoneOffset` refuses longer names. */
const MAX_ZONE = 64;
const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** Returns true for an IANA name of a time zone. */
export function isTimeZone(name: string): boolean {
  if (name.length > MAX_ZONE) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the moment of a timestamp, or the next occurrence of a time of day after `nowMs`, in milliseconds since 1970.
 * Undefined: neither. A local time that a daylight-saving transition skips is moved forward by the transition (02:30
 * becomes 03:30). A local time that occurs twice means the first occurrence.
 */
export function nextMoment(text: string, zone: string, nowMs: number): number | undefined {
  if (TIMESTAMP.test(text)) return parseIsoDate(text, zone);
  const [match, hours, minutes, seconds = '0'] = TIME_OF_DAY.exec(text) ?? [];
  if (match === undefined) return undefined;
  const today = Math.floor((nowMs + zoneOffset(nowMs, zone)) / DAY_MS) * DAY_MS;
  const time = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  const next = toInstant(today + time, zone);
  return next > nowMs ? next : toInstant(today + DAY_MS + time, zone);
}
