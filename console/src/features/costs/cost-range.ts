import { DAY_MS, HOUR_MS, type TimeRange } from '@/shared/charts/time-range';

export const RANGES = [
  { value: '24h', label: '24 hours', hours: 24, interval: 'HOUR' },
  { value: '7d', label: '7 days', hours: 7 * 24, interval: 'DAY' },
  { value: '30d', label: '30 days', hours: 30 * 24, interval: 'DAY' },
  { value: '90d', label: '90 days', hours: 90 * 24, interval: 'DAY' },
  { value: '12m', label: '12 months', hours: 365 * 24, interval: 'MONTH' },
] as const;

/** Used when the address names no range. */
export const DEFAULT_RANGE: RangeName = '30d';

export type RangeName = (typeof RANGES)[number]['value'];

/** Longest ranges in days that are divided into hours and into days, so that a chart has legible columns. */
const MAX_DAYS_OF_HOURS = 2;
const MAX_DAYS_OF_DAYS = 120;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The time range in the address: a name, or two days. */
export interface RangeSearch {
  range?: RangeName;
  /** The first day in UTC, for example 2026-01-31. */
  from?: string;
  /** The last day in UTC, included. */
  to?: string;
}

/** Parses the range in the search parameters of the URL. Invalid values are omitted. */
export function rangeSearch(search: Record<string, unknown>): RangeSearch {
  const day = (value: unknown) =>
    typeof value === 'string' && DATE.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
  const from = day(search.from);
  const to = day(search.to);
  if (from !== undefined && to !== undefined && from <= to) return { from, to };
  const range = RANGES.find(({ value }) => value === search.range);
  return range ? { range: range.value } : {};
}

/**
 * The time range of the address. Two days are whole days in UTC, as the service groups costs. A named range ends at the next
 * full hour, so that its query stays the same for an hour.
 */
export function toRange({ range = DEFAULT_RANGE, from, to }: RangeSearch, now = Date.now()): TimeRange {
  if (from !== undefined && to !== undefined) {
    const start = new Date(from);
    const end = new Date(Date.parse(to) + DAY_MS);
    const days = (end.getTime() - start.getTime()) / DAY_MS;
    const longInterval = days <= MAX_DAYS_OF_DAYS ? 'DAY' : 'MONTH';
    return { from: start, to: end, interval: days <= MAX_DAYS_OF_HOURS ? 'HOUR' : longInterval };
  }
  const { hours, interval } = RANGES.find(({ value }) => value === range) ?? RANGES[2];
  const end = Math.ceil(now / HOUR_MS) * HOUR_MS;
  const start = nextStart(new Date(end - hours * HOUR_MS), interval);
  return { from: start, to: new Date(end), interval };
}

/** The start of the first interval after a time, so that a chart begins with a complete day or month. */
function nextStart(at: Date, interval: TimeRange['interval']): Date {
  if (interval === 'HOUR') return at;
  const day = interval === 'DAY' ? at.getUTCDate() + 1 : 1;
  const month = interval === 'DAY' ? at.getUTCMonth() : at.getUTCMonth() + 1;
  return new Date(Date.UTC(at.getUTCFullYear(), month, day));
}

/** The start of the range of the same length that ends where the given one starts. */
export function startBefore({ from, to }: TimeRange): Date {
  return new Date(from.getTime() * 2 - to.getTime());
}
