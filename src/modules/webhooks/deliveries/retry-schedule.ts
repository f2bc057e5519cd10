/** Each delay varies randomly by this fraction, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

/** Upper bound for the header Retry-After of a receiver. */
const MAX_RETRY_AFTER_SECONDS = 6 * 3_600;

/** Computes when a failed delivery is tried again. */
export class RetrySchedule {
  /** `delays[n]`: seconds from failure n + 1 in a row to the next attempt. */
  constructor(
    private readonly delays: readonly number[],
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * Seconds from the `failures`-th failure in a row to the next attempt; null when the delivery is given up. A longer
   * Retry-After of the receiver applies, up to six hours.
   */
  after(failures: number, retryAfterSeconds: number | null): number | null {
    const delay = this.delays[failures - 1];
    if (delay === undefined) return null;
    const retryAfter = Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
    return Math.max(delay * (1 - JITTER + 2 * JITTER * this.random()), retryAfter);
  }
}

/** Seconds from a Retry-After header (RFC 9110, section 10.2.3: seconds or a date); null when it is absent or invalid. */
export function retryAfterSeconds(header: string | undefined, now = Date.now()): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1000);
}
