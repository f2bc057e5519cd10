import { setTimeout } from 'node:timers/promises';
import { UpstreamRefusal } from './upstream.js';

/** How often and when a failed call is repeated. */
export interface RetryPolicy {
  /** Maximum number of attempts, including the first one. */
  tries: number;
  /** Delay before the second attempt in milliseconds. It doubles before each further attempt. */
  baseMs: number;
}

/** There is no retry if the upstream requests a longer delay. */
const MAX_WAIT_MS = 60_000;

/** Retries after temporary failures (429, 5xx), with the delay that the upstream requests or an exponential one. */
export async function withRetries<T>(
  { tries, baseMs }: RetryPolicy,
  signal: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = failures < tries ? retryDelayOf(error, baseMs * 2 ** (failures - 1)) : undefined;
      if (waitMs === undefined) throw error;
      // An aborted run fails with its own abort reason.
      await setTimeout(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/** Returns the milliseconds until a retry. Undefined: the failure is permanent, or the delay is too long. */
function retryDelayOf(error: unknown, usualMs: number): number | undefined {
  if (!(error instanceof UpstreamRefusal) || error.status === undefined || !isTemporary(error.status)) return undefined;
  // Jitter, so that calls that failed together do not retry together.
  const waitMs = error.retryAfterMs ?? usualMs * (0.5 + Math.random() / 2);
  return waitMs <= MAX_WAIT_MS ? waitMs : undefined;
}

/** Whether the status is temporary, so that a retry may succeed. */
export function isTemporary(status: number): boolean {
  return status === 429 || status >= 500;
}
