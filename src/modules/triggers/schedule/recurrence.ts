import { RRuleTemporal } from 'rrule-temporal';

export const MAX_RULE_CHARACTERS = 500;
/** The largest COUNT of a rule. */
export const MAX_COUNT = 1_000;
/** Bounds of the work for one occurrence. A rule that needs more has no further occurrence. */
const WORK_LIMITS = { maxIterations: 2_000, maxCandidateEvaluations: 5_000 };

/** Occurrences by a recurrence rule of RFC 5545. A local time that a daylight-saving transition skips does not occur. */
export class Recurrence {
  readonly #rule: RRuleTemporal;

  /**
   * @param text lines `DTSTART`, `RRULE`, `EXDATE` and `RDATE`
   * @param timeZone zone of times without one
   * @throws Error when the text is not a rule
   */
  constructor(text: string, timeZone: string) {
    this.#rule = new RRuleTemporal({ rruleString: text, tzid: timeZone, ...WORK_LIMITS });
  }

  /** The first occurrence after a time. Null: there is none. */
  next(after: Date): Date | null {
    return findInRange(() => this.#rule.next(after));
  }

  /** The last occurrence at or before a time. Null: there is none. */
  last(until: Date): Date | null {
    return findInRange(() => this.#rule.previous(until, true));
  }
}

/** Adds the first time to a rule without one: `now` in the zone. A single rule may omit `RRULE:`. */
export function withStart(text: string, timeZone: string, now: Date): string {
  const lines = text.split(/\r?\n/).flatMap(line => (line.trim() === '' ? [] : [line.trim()]));
  const named = lines.map(line => (/^FREQ=/i.test(line) ? `RRULE:${line}` : line));
  if (named.some(line => /^DTSTART[;:]/i.test(line))) return named.join('\n');
  // Swedish dates have the order of ISO 8601: 2026-01-31 08:00.
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(now);
  return [`DTSTART;TZID=${timeZone}:${local.replace(/[-:]/g, '').replace(' ', 'T')}00`, ...named].join('\n');
}

/** Returns null instead of the error of the library for a search that exceeds `WORK_LIMITS`. */
function findInRange(find: () => { epochMilliseconds: number } | null): Date | null {
  try {
    const found = find();
    return found && new Date(found.epochMilliseconds);
  } catch (error) {
    if (error instanceof Error && /exceeded/i.test(error.message)) return null;
    throw error;
  }
}
