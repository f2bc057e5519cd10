import { DAY_MS, toInstant, zoneOffset } from '../../../expressions/functions/time-zone.js';

const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
const LOCAL_TIMESTAMP = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?))?$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Returns true for an IANA name of a time zone. */
export function isTimeZone(name: string): boolean {
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
  if (TIMESTAMP.test(text)) return finiteOrUndefined(Date.parse(text));
  const local = LOCAL_TIMESTAMP.exec(text);
  if (local) return momentOfLocal(Date.parse(`${local[1]}T${local[2] ?? '00:00'}Z`), zone);
  const [match, hours, minutes, seconds = '0'] = TIME_OF_DAY.exec(text) ?? [];
  if (match === undefined) return undefined;
  const today = Math.floor((nowMs + zoneOffset(nowMs, zone)) / DAY_MS) * DAY_MS;
  const time = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  const next = toInstant(today + time, zone);
  return next > nowMs ? next : toInstant(today + DAY_MS + time, zone);
}

function finiteOrUndefined(ms: number): number | undefined {
  return Number.isFinite(ms) ? ms : undefined;
}

function momentOfLocal(localMs: number, zone: string): number | undefined {
  return Number.isFinite(localMs) ? toInstant(localMs, zone) : undefined;
}
