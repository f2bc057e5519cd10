import { type Evaluation, failure } from '../evaluation.js';
import { formatDate, parseDate } from './date-patterns.js';
import { defineFunction } from './function-kind.js';
import { DAY_MS, toInstant, utcMs, YEARS_FAULT, zoneOffset } from './time-zone.js';

const EXACT_UNITS: ReadonlyMap<string, number> = new Map([
  ['millisecond', 1],
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 3_600_000],
]);
/** Units whose length depends on the calendar, as days or months. */
const CALENDAR_UNITS: ReadonlyMap<string, readonly [days: number, months: number]> = new Map([
  ['day', [1, 0] as const],
  ['week', [7, 0] as const],
  ['month', [0, 1] as const],
  ['year', [0, 12] as const],
]);
const UNITS = [...EXACT_UNITS.keys(), ...CALENDAR_UNITS.keys()].map(unit => `${unit}s`).join(', ');
/** Steps of an operation that needs the time zone. */
const ZONE_STEPS = 500;

const toSingular = (unit: string) => (unit.endsWith('s') ? unit.slice(0, -1) : unit);

/** Returns the text of an instant in UTC. Throws a TemplateError outside of the years 1 to 9999. */
function toText(instant: number): string {
  if (!(instant >= utcMs(1, 0, 1) && instant < utcMs(10_000, 0, 1))) throw failure(YEARS_FAULT);
  return new Date(instant).toISOString();
}

/** Adds months and days to a local time. The day is at most the last one of the month. */
function addCalendar(local: number, days: number, months: number): number {
  const date = new Date(local);
  const total = date.getUTCFullYear() * 12 + date.getUTCMonth() + months;
  const year = Math.floor(total / 12);
  const month = total - year * 12;
  const lastDay = new Date(utcMs(year, month + 1, 0)).getUTCDate();
  const time = local - utcMs(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return utcMs(year, month, Math.min(date.getUTCDate(), lastDay) + days) + time;
}

/** More than the days of 9,999 years. */
const MAX_CALENDAR_AMOUNT = 4_000_000;

function addTime(evaluation: Evaluation, date: number, amount: number, unit: string, zone = 'UTC'): string {
  evaluation.charge(ZONE_STEPS);
  const exact = EXACT_UNITS.get(toSingular(unit));
  if (exact !== undefined) return toText(date + Math.round(amount * exact));
  const [days, months] = CALENDAR_UNITS.get(toSingular(unit)) ?? [];
  if (days === undefined || months === undefined) throw failure(`a unit of time is one of ${UNITS}`);
  if (!Number.isInteger(amount)) throw failure(`add_time takes a whole number of ${unit}`);
  if (Math.abs(amount) > MAX_CALENDAR_AMOUNT) throw failure(YEARS_FAULT);
  const local = date + zoneOffset(date, zone);
  return toText(toInstant(addCalendar(local, days * amount, months * amount), zone));
}

function diffTime(evaluation: Evaluation, from: number, to: number, unit: string, zone = 'UTC'): number {
  evaluation.charge(ZONE_STEPS);
  const exact = EXACT_UNITS.get(toSingular(unit));
  if (exact !== undefined) return (to - from) / exact;
  const [days, months] = CALENDAR_UNITS.get(toSingular(unit)) ?? [];
  if (days === undefined || months === undefined) throw failure(`a unit of time is one of ${UNITS}`);
  const [start, end] = [from + zoneOffset(from, zone), to + zoneOffset(to, zone)];
  if (days > 0) return (end - start) / (days * DAY_MS);
  const monthOf = (local: number) => new Date(local).getUTCFullYear() * 12 + new Date(local).getUTCMonth();
  let count = monthOf(end) - monthOf(start);
  if (count > 0 && addCalendar(start, 0, count) > end) count--;
  if (count < 0 && addCalendar(start, 0, count) < end) count++;
  return Math.trunc(count / months);
}

/** Returns the beginning of the unit that contains the date. Weeks begin on Monday. */
function startOf(evaluation: Evaluation, date: number, unit: string, zone = 'UTC'): string {
  evaluation.charge(ZONE_STEPS);
  const local = date + zoneOffset(date, zone);
  const at = new Date(local);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const starts: Record<string, number> = {
    minute: Math.floor(local / 60_000) * 60_000,
    hour: Math.floor(local / 3_600_000) * 3_600_000,
    day: utcMs(year, month, day),
    week: utcMs(year, month, day - ((at.getUTCDay() + 6) % 7)),
    month: utcMs(year, month, 1),
    year: utcMs(year, 0, 1),
  };
  const start = Object.hasOwn(starts, toSingular(unit)) ? starts[toSingular(unit)] : undefined;
  if (start === undefined) throw failure('start_of takes minute, hour, day, week, month or year');
  return toText(toInstant(start, zone));
}

/** Functions of dates. A date is a text in ISO 8601, or a number of milliseconds since 1970. Results are in UTC. */
export const dateFunctions = [
  defineFunction(
    'now(): text',
    'The time when the attempt of the node began, in UTC; the same as the reference `now`.',
    [['length(now())', 24]],
    evaluation => evaluation.scope.now,
  ),
  defineFunction(
    'parse_date(text: text, pattern?: text, zone?: text): text',
    'The date of a text in ISO 8601, or in the given pattern. A text without an offset is in `zone` (default `UTC`).',
    [
      ['parse_date("2026-03-01")', '2026-03-01T00:00:00.000Z'],
      ['parse_date("01.03.2026 09:30", "dd.MM.yyyy HH:mm", "Europe/Rome")', '2026-03-01T08:30:00.000Z'],
    ],
    (evaluation, text: string, pattern?: string, zone = 'UTC') => {
      evaluation.charge(ZONE_STEPS);
      return toText(parseDate(text, pattern, zone));
    },
  ),
  defineFunction(
    'format_date(date: date, pattern?: text, zone?: text): text',
    'The date in a pattern (default `yyyy-MM-dd`) and a time zone (default `UTC`).',
    [
      ['format_date("2026-03-01T08:30:00Z", "dd.MM.yyyy HH:mm", "Europe/Rome")', '01.03.2026 09:30'],
      ['format_date("2026-03-01", "EEEE, d MMMM yyyy")', 'Sunday, 1 March 2026'],
    ],
    (evaluation, date: number, pattern = 'yyyy-MM-dd', zone = 'UTC') => {
      evaluation.charge(ZONE_STEPS);
      return formatDate(date, pattern, zone);
    },
  ),
  defineFunction(
    'add_time(date: date, amount: number, unit: text, zone?: text): text',
    `The date plus an amount of ${UNITS}. Days and longer units follow the calendar of the time zone (default \`UTC\`).`,
    [
      ['add_time("2026-01-31", 1, "month")', '2026-02-28T00:00:00.000Z'],
      ['add_time("2026-03-01T10:00:00Z", -90, "minutes")', '2026-03-01T08:30:00.000Z'],
    ],
    addTime,
  ),
  defineFunction(
    'diff_time(from: date, to: date, unit: text, zone?: text): number',
    `The time from one date to another in ${UNITS}; negative if \`to\` is earlier. Months and years are whole.`,
    [
      ['diff_time("2026-03-01", "2026-03-03T12:00:00Z", "days")', 2.5],
      ['diff_time("2026-01-31", "2026-03-01", "months")', 1],
    ],
    diffTime,
  ),
  defineFunction(
    'start_of(date: date, unit: text, zone?: text): text',
    'The beginning of the minute, hour, day, week (Monday), month or year in the time zone (default `UTC`).',
    [['start_of("2026-03-05T10:20:30Z", "month")', '2026-03-01T00:00:00.000Z']],
    startOf,
  ),
  defineFunction(
    'weekday(date: date, zone?: text): number',
    'The day of the week in the time zone (default `UTC`): 1 is Monday, 7 is Sunday.',
    [['weekday("2026-03-01")', 7]],
    (evaluation, date: number, zone = 'UTC') => {
      evaluation.charge(ZONE_STEPS);
      return ((new Date(date + zoneOffset(date, zone)).getUTCDay() + 6) % 7) + 1;
    },
  ),
  defineFunction(
    'timestamp(date: date): number',
    'The milliseconds since 1970.',
    [['timestamp("1970-01-02")', 86_400_000]],
    (_, date: number) => date,
  ),
];
