import { createHash } from 'node:crypto';
import { CronExpressionParser } from 'cron-parser';

/** When a schedule is due: `cron` in `timeZone`, or once at `at`. Exactly one of the two is set. */
export interface Schedule {
  /** Cron expression with five fields, or six with seconds first. */
  cron: string | null;
  /** The only occurrence. */
  at: Date | null;
  /** IANA name such as `Europe/Berlin`. A local time that the change to summer time skips is moved by the change. */
  timeZone: string;
}

/** Returns why the schedule cannot be used, by member. Null: it can. */
export function scheduleFault({ cron, at, timeZone }: Schedule): { member: string; message: string } | null {
  if ((cron === null) === (at === null)) return { member: 'cron', message: 'Give either a cron expression or a time.' };
  if (!isTimeZone(timeZone))
    return { member: 'timeZone', message: 'Use the name of a time zone, for example Europe/Berlin or UTC.' };
  if (cron === null) return null;
  const fields = cron.trim().split(/\s+/).length;
  if (cron.length > 200 || fields < 5 || fields > 6)
    return { member: 'cron', message: 'Use five fields (minute hour day month weekday), or six with seconds first.' };
  try {
    nextOccurrence({ cron, at, timeZone }, new Date());
    return null;
  } catch (error) {
    return { member: 'cron', message: `This is not a valid cron expression: ${(error as Error).message}.` };
  }
}

/** Returns the first occurrence after `after`. Null: there is none. */
export function nextOccurrence({ cron, at, timeZone }: Schedule, after: Date): Date | null {
  if (cron === null) return at !== null && at > after ? at : null;
  return CronExpressionParser.parse(cron, { tz: timeZone, currentDate: after }).next().toDate();
}

/**
 * Returns the newest occurrences from `first` to `now`, oldest first, at most `max`. `first` is an occurrence. It counts
 * backwards from `now`, so a long pause costs no more than a short one.
 */
export function dueOccurrences({ cron, timeZone }: Schedule, first: Date, now: Date, max: number): Date[] {
  if (cron === null) return first <= now ? [first] : [];
  const due: Date[] = [];
  // `prev` returns times before its start, so one millisecond later includes `now`.
  const times = CronExpressionParser.parse(cron, { tz: timeZone, currentDate: new Date(now.getTime() + 1) });
  while (due.length < max) {
    const occurrence = times.prev().toDate();
    if (occurrence < first) break;
    due.unshift(occurrence);
  }
  return due;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Returns when an occurrence starts: up to `jitterSeconds` late, the same on every process. */
export function startTime(triggerId: number, occurrence: Date, jitterSeconds: number): Date {
  if (jitterSeconds === 0) return occurrence;
  const bytes = createHash('sha256').update(`${triggerId} ${occurrence.toISOString()}`).digest();
  return new Date(occurrence.getTime() + (bytes.readUInt32BE(0) % (jitterSeconds * 1_000 + 1)));
}
