const DAY_MS = 86_400_000;
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
 * Undefined: neither. A local time that a change of the clocks skips counts as the moment after the change.
 */
export function nextMoment(text: string, zone: string, nowMs: number): number | undefined {
  if (TIMESTAMP.test(text)) return finiteOrUndefined(Date.parse(text));
  const local = LOCAL_TIMESTAMP.exec(text);
  if (local) return finiteOrUndefined(fromLocal(Date.parse(`${local[1]}T${local[2] ?? '00:00'}Z`), zone));
  const [match, hours, minutes, seconds = '0'] = TIME_OF_DAY.exec(text) ?? [];
  if (match === undefined) return undefined;
  const today = Math.floor((nowMs + offsetMs(nowMs, zone)) / DAY_MS) * DAY_MS;
  const time = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  const next = fromLocal(today + time, zone);
  return next > nowMs ? next : fromLocal(today + DAY_MS + time, zone);
}

function finiteOrUndefined(ms: number): number | undefined {
  return Number.isFinite(ms) ? ms : undefined;
}

/** Converts a local time, written as if it were UTC. The second step corrects the offset near a change of the clocks. */
function fromLocal(localMs: number, zone: string): number {
  if (!Number.isFinite(localMs)) return localMs;
  const guess = localMs - offsetMs(localMs, zone);
  return localMs - offsetMs(guess, zone);
}

/** Offset of the zone to UTC at a moment, in milliseconds. */
function offsetMs(ms: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(name) ?? [];
  const length = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -length : length;
}
