import { createHash } from 'node:crypto';
import { CronTimes } from './cron-times.js';
import { GRACE_MS } from './occurrence-policy.js';
import { MAX_COUNT, MAX_RULE_CHARACTERS, Recurrence } from './recurrence.js';

/** When a schedule is due: by `cron` or `rrule` in `timeZone`, or once at `at`. Exactly one of the three is set. */
export interface Schedule {
  /** Cron expression with five fields, or six with seconds first. */
  cron: string | null;
  /** Recurrence rule of RFC 5545 with its `DTSTART`. */
  rrule: string | null;
  /** The only occurrence. */
  at: Date | null;
  /** IANA name such as `Europe/Berlin`. */
  timeZone: string;
}

/** Returns why the schedule cannot be used, by member. Null: it can. */
export function scheduleFault(schedule: Schedule): { member: string; message: string } | null {
  const { cron, rrule, at, timeZone } = schedule;
  if ([cron, rrule, at].filter(value => value !== null).length !== 1)
    return { member: 'cron', message: 'Give either a cron expression, a recurrence rule or a time.' };
  if (!isTimeZone(timeZone))
    return { member: 'timeZone', message: 'Use the name of a time zone, for example Europe/Berlin or UTC.' };
  if (cron !== null) return cronFault(schedule, cron);
  return rrule === null ? null : ruleFault(schedule, rrule);
}

/** Returns why a new single time cannot be used: it has passed, by more than the time within which it still starts. */
export function pastTimeFault(at: Date, now: Date): string | null {
  if (now.getTime() - at.getTime() <= GRACE_MS) return null;
  return `The time ${at.toISOString()} has passed: it is ${now.toISOString()} now. Give a time in the future.`;
}

function cronFault(schedule: Schedule, cron: string): { member: string; message: string } | null {
  const fields = cron.trim().split(/\s+/).length;
  if (cron.length > 200 || fields < 5 || fields > 6)
    return { member: 'cron', message: 'Use five fields (minute hour day month weekday), or six with seconds first.' };
  try {
    nextOccurrence(schedule, new Date());
    return null;
  } catch (error) {
    return { member: 'cron', message: `This is not a valid cron expression: ${(error as Error).message}.` };
  }
}

function ruleFault(schedule: Schedule, rrule: string): { member: string; message: string } | null {
  if (rrule.length > MAX_RULE_CHARACTERS)
    return { member: 'rrule', message: `Ensure this rule has no more than ${MAX_RULE_CHARACTERS} characters.` };
  // A rule with a count is evaluated from its first time.
  if (Number(/COUNT=(\d{1,9})/i.exec(rrule)?.[1] ?? 0) > MAX_COUNT)
    return { member: 'rrule', message: `Ensure that COUNT is at most ${MAX_COUNT}, or use UNTIL.` };
  try {
    if (nextOccurrence(schedule, new Date())) return null;
    return { member: 'rrule', message: 'The rule has no occurrence in the future, or finding it takes too long.' };
  } catch (error) {
    const example = 'DTSTART:20260101T090000 and RRULE:FREQ=MONTHLY;BYDAY=-1FR in two lines';
    return { member: 'rrule', message: `This is not a valid rule: ${(error as Error).message}. Example: ${example}.` };
  }
}

/** Returns the first occurrence after `after`. Null: there is none. */
export function nextOccurrence({ cron, rrule, at, timeZone }: Schedule, after: Date): Date | null {
  if (rrule !== null) return new Recurrence(rrule, timeZone).next(after);
  if (cron === null) return at !== null && at > after ? at : null;
  return new Date(new CronTimes(cron, timeZone).next(after.getTime()));
}

/**
 * Returns the newest occurrences from `first` to `now`, oldest first, at most `max`. `first` is an occurrence. It counts
 * backwards from `now`, so a long pause costs no more than a short one.
 */
export function dueOccurrences(schedule: Schedule, first: Date, now: Date, max: number): Date[] {
  if (schedule.at !== null) return first <= now ? [first] : [];
  const due: Date[] = [];
  const previous = previousOccurrences(schedule, now);
  while (due.length < max) {
    const occurrence = previous();
    if (occurrence === null || occurrence < first) break;
    due.unshift(occurrence);
  }
  return due;
}

/** Returns a function that returns the occurrences up to `now`, newest first, and null after the oldest one. */
function previousOccurrences({ cron, rrule, timeZone }: Schedule, now: Date): () => Date | null {
  const times = rrule === null ? new CronTimes(cron!, timeZone) : undefined;
  const rule = rrule === null ? undefined : new Recurrence(rrule, timeZone);
  let until = now;
  return () => {
    const occurrence = times ? new Date(times.last(until.getTime())) : rule!.last(until);
    if (occurrence) until = new Date(occurrence.getTime() - 1);
    return occurrence;
  };
}

export function isTimeZone(name: string): boolean {
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
