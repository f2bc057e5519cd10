/** Each delay is this much shorter or longer by chance, so that what failed together does not come back together. */
const JITTER = 0.1;

/** A receiver may ask for more patience, up to this. */
const MAX_RETRY_AFTER_SECONDS = 6 * 3_600;

/** When a failed delivery is tried again. */
export class RetrySchedule {
  /** `delays`: seconds from each failure to the next attempt. */
  constructor(
    private readonly delays: readonly number[],
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * Seconds from the `failures`-th failure in a row to the next attempt; null: there is none. What the receiver asked
   * for by Retry-After counts when it is longer, within bounds.
   */
  after(failures: number, retryAfterSeconds: number | null): number | null {
    const delay = this.delays[failures - 1];
    if (delay === undefined) return null;
    const asked = Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
    return Math.max(delay * (1 - JITTER + 2 * JITTER * this.random()), asked);
  }
}

/** Seconds that a Retry-After header asks for, given as such or as a date; null when it says nothing of use. */
export function retryAfterSeconds(header: string | undefined, now = Date.now()): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1000);
}
