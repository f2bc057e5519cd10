import { failure } from '../evaluation.js';
import { toInstant, utcMs, zoneOffset } from './time-zone.js';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

const ISO =
  /^(\d{4})-(\d{2})(?:-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s?([Zz]|[+-]\d{2}(?::?\d{2})?))?)?)?$/;
const TOKEN = /yyyy|yy|MMMM|MMM|MM|M|dd|d|EEEE|EEE|HH|H|hh|h|mm|m|ss|s|SSS|a|XXX|'[^']*'|[^A-Za-z']/y;
const MAX_PATTERN = 100;

/** Date and time on a clock, and its offset from UTC in milliseconds; null: none is given. */
interface LocalTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  ms: number;
  offset: number | null;
}

/** Parses ISO 8601, or a text in a pattern. Throws a TemplateError. Returns milliseconds since 1970. */
export function parseDate(text: string, pattern: string | undefined, zone: string): number {
  const time = pattern === undefined ? parseIso(text) : parsePattern(text, pattern);
  if (!time || !isValid(time)) {
    const form = pattern === undefined ? 'ISO 8601, such as "2026-03-01T09:30:00Z"' : 'the given pattern';
    throw failure(`a date must exist and be in ${form}`);
  }
  return instantOf(time, zone);
}

/** Parses a date in ISO 8601 that exists. Undefined for any other text. */
export function parseIsoDate(text: string, zone: string): number | undefined {
  const time = parseIso(text);
  return time && isValid(time) ? instantOf(time, zone) : undefined;
}

function instantOf({ year, month, day, hour, minute, second, ms, offset }: LocalTime, zone: string): number {
  const local = utcMs(year, month - 1, day, hour, minute, second, ms);
  return offset === null ? toInstant(local, zone) : local - offset;
}

function isValid({ year, month, day, hour, minute, second }: LocalTime): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return false;
  return day <= new Date(utcMs(year, month, 0)).getUTCDate();
}

function parseIso(text: string): LocalTime | undefined {
  const match = ISO.exec(text.trim());
  if (!match) return undefined;
  const [, year, month, day = '1', hour = '0', minute = '0', second = '0', fraction = '0', offset] = match;
  return {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    ms: Math.floor(Number(`0.${fraction}`) * 1000),
    offset: offset === undefined ? null : offsetOf(offset),
  };
}

/** Names of time zones in RFC 822 and their hours from UTC. */
const RFC_ZONES: Readonly<Record<string, number>> = {
  ...{ UT: 0, UTC: 0, GMT: 0, Z: 0, EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
};
const RFC =
  /^(?:[a-z]{3,9},?\s+)?(\d{1,2})\s+([a-z]{3})[a-z]{0,6}\s+(\d{4}|\d{2})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([a-z]{1,3}|[+-]\d{2}:?\d{2})$/i;

/** Parses a date of RFC 822 or RFC 5322 that exists, such as `Thu, 01 Jan 2026 10:00:00 +0100`. Undefined for any other text. */
export function parseRfcDate(text: string): number | undefined {
  const [match, day, monthName = '', year = '', hour, minute, second = '0', zone = ''] = RFC.exec(text.trim()) ?? [];
  if (match === undefined) return undefined;
  const hours = RFC_ZONES[zone.toUpperCase()];
  const isNumeric = /^[+-]/.test(zone);
  if (hours === undefined && !isNumeric) return undefined;
  const time: LocalTime = {
    // RFC 5322, section 4.3: two digits are years from 1950 to 2049.
    year: Number(year) + (year.length > 2 ? 0 : Number(year) < 50 ? 2000 : 1900),
    month: MONTHS.findIndex(name => name.slice(0, 3).toLowerCase() === monthName.toLowerCase()) + 1,
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Math.min(59, Number(second)),
    ms: 0,
    offset: isNumeric ? offsetOf(zone) : (hours ?? 0) * 3_600_000,
  };
  return Number(second) <= 60 && isValid(time) ? instantOf(time, 'UTC') : undefined;
}

function offsetOf(text: string): number {
  if (text === 'Z' || text === 'z') return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(3).replace(':', '') || 0);
  return (text.startsWith('-') ? -1 : 1) * minutes * 60_000;
}

/** Splits a pattern into its fields and literal texts. Throws a TemplateError. */
function tokensOf(pattern: string): string[] {
  if (pattern.length > MAX_PATTERN) throw failure(`a pattern of dates has at most ${MAX_PATTERN} characters`);
  const tokens: string[] = [];
  for (let at = 0; at < pattern.length; ) {
    TOKEN.lastIndex = at;
    const [token] = TOKEN.exec(pattern) ?? [];
    if (token === undefined)
      throw failure("a pattern of dates has fields such as yyyy, MM, dd, HH, mm and ss, and other texts in '…'");
    tokens.push(token);
    at += token.length;
  }
  return tokens;
}

const isLetter = (token: string) => /^[A-Za-z]/.test(token);
const literalOf = (token: string) => (token.startsWith("'") ? token.slice(1, -1) || "'" : token);
const pad = (value: number, length: number) => String(value).padStart(length, '0');

/** Formats an instant in a time zone. Throws a TemplateError. */
export function formatDate(instant: number, pattern: string, zone: string): string {
  const offset = zoneOffset(instant, zone);
  const date = new Date(instant + offset);
  return tokensOf(pattern)
    .map(token => (isLetter(token) ? formatField(date, token, offset) : literalOf(token)))
    .join('');
}

function formatField(date: Date, field: string, offset: number): string {
  const numbers: Record<string, number> = {
    M: date.getUTCMonth() + 1,
    d: date.getUTCDate(),
    H: date.getUTCHours(),
    h: date.getUTCHours() % 12 || 12,
    m: date.getUTCMinutes(),
    s: date.getUTCSeconds(),
  };
  const number = field.length <= 2 ? numbers[field.charAt(0)] : undefined;
  if (number !== undefined) return pad(number, field.length);
  switch (field) {
    case 'yyyy':
      return pad(date.getUTCFullYear(), 4);
    case 'yy':
      return pad(date.getUTCFullYear() % 100, 2);
    case 'SSS':
      return pad(date.getUTCMilliseconds(), 3);
    case 'a':
      return date.getUTCHours() < 12 ? 'AM' : 'PM';
    case 'XXX':
      return formatOffset(offset);
    default:
      return formatName(date, field);
  }
}

function formatName(date: Date, field: string): string {
  const name = field.startsWith('M') ? MONTHS[date.getUTCMonth()] : DAYS[date.getUTCDay()];
  return (field.length === 3 ? name?.slice(0, 3) : name) ?? '';
}

function formatOffset(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.abs(Math.round(offset / 60_000));
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60), 2)}:${pad(minutes % 60, 2)}`;
}

/** Parsed fields, before they become a time. */
interface Fields extends LocalTime {
  isAfternoon: boolean | null;
}

function parsePattern(text: string, pattern: string): LocalTime | undefined {
  const fields: Fields = {
    year: 1970,
    month: 1,
    day: 1,
    hour: 0,
    minute: 0,
    second: 0,
    ms: 0,
    offset: null,
    isAfternoon: null,
  };
  let at = 0;
  for (const token of tokensOf(pattern)) {
    const read = isLetter(token) ? readField(text, at, token, fields) : readLiteral(text, at, literalOf(token));
    if (read === undefined) return undefined;
    at += read;
  }
  if (at !== text.length) return undefined;
  if (fields.isAfternoon !== null) fields.hour = (fields.hour % 12) + (fields.isAfternoon ? 12 : 0);
  return fields;
}

/** Returns the number of characters read; undefined: the text differs. */
function readLiteral(text: string, at: number, literal: string): number | undefined {
  return text.startsWith(literal, at) ? literal.length : undefined;
}

const NUMBER_FIELDS: Readonly<Record<string, keyof LocalTime>> = {
  y: 'year',
  M: 'month',
  d: 'day',
  H: 'hour',
  h: 'hour',
  m: 'minute',
  s: 'second',
  S: 'ms',
};

function readField(text: string, at: number, field: string, fields: Fields): number | undefined {
  const rest = text.slice(at, at + 16);
  const kind = field.charAt(0);
  if (kind === 'a') return readMeridiem(rest, fields);
  if (kind === 'X') return readOffset(rest, fields);
  if (kind === 'E' || (kind === 'M' && field.length > 2)) return readName(rest, field, fields);
  return readNumber(rest, field, fields);
}

function readNumber(rest: string, field: string, fields: Fields): number | undefined {
  const kind = field.charAt(0);
  const [, digits = ''] = /^(\d{1,4})/.exec(rest) ?? [];
  const length = field.length === 1 ? Math.min(2, digits.length) : field.length;
  if (digits.length < length || length === 0) return undefined;
  const value = Number(digits.slice(0, length));
  if (kind === 'h' && (value < 1 || value > 12)) return undefined;
  // All values of NUMBER_FIELDS name members with the type of `year`.
  fields[NUMBER_FIELDS[kind] as 'year'] = field === 'yy' ? 2000 + value : value;
  return length;
}

function readMeridiem(rest: string, fields: Fields): number | undefined {
  const text = rest.slice(0, 2).toUpperCase();
  if (text !== 'AM' && text !== 'PM') return undefined;
  fields.isAfternoon = text === 'PM';
  return 2;
}

function readOffset(rest: string, fields: Fields): number | undefined {
  const [text] = /^(?:[Zz]|[+-]\d{2}:?\d{2})/.exec(rest) ?? [];
  if (text === undefined) return undefined;
  fields.offset = offsetOf(text);
  return text.length;
}

function readName(rest: string, field: string, fields: Fields): number | undefined {
  const names: readonly string[] = field.startsWith('M') ? MONTHS : DAYS;
  const shown = field.length === 3 ? names.map(name => name.slice(0, 3)) : names;
  const index = shown.findIndex(name => rest.toLowerCase().startsWith(name.toLowerCase()));
  const name = shown[index];
  if (name === undefined) return undefined;
  if (field.startsWith('M')) fields.month = index + 1;
  return name.length;
}
