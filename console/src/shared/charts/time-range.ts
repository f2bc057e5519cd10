export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The period that a chart shows. */
export interface TimeRange {
  from: Date;
  /** Not included. */
  to: Date;
  interval: 'HOUR' | 'DAY' | 'MONTH';
}

/** The start of every interval of a range, so that intervals without data appear too. */
export function intervalsOf({ from, to, interval }: TimeRange): Date[] {
  const starts: Date[] = [];
  let at = from;
  while (at < to) {
    starts.push(at);
    at =
      interval === 'MONTH'
        ? new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
        : new Date(at.getTime() + (interval === 'DAY' ? DAY_MS : HOUR_MS));
  }
  return starts;
}

/** "14:00", "3 Nov" or "Nov 2026", in UTC. */
export function labelOf(start: Date, interval: TimeRange['interval']): string {
  const options: Intl.DateTimeFormatOptions =
    interval === 'HOUR'
      ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
      : interval === 'DAY'
        ? { day: 'numeric', month: 'short' }
        : { month: 'short', year: 'numeric' };
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(start);
}
