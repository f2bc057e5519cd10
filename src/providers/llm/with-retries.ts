import { setTimeout } from 'node:timers/promises';
import { UpstreamRefusal } from './upstream.js';

export interface RetryPolicy {
  /** In all. */
  tries: number;
  /** Before the second try; doubled before each further one. */
  baseMs: number;
}

/** An upstream that asks for more patience than this is not asked again. */
const MAX_WAIT_MS = 60_000;

/** Tries again what an upstream refused for the moment (429, 5xx), after the time that it asks for or a growing one. */
export async function withRetries<T>(
  { tries, baseMs }: RetryPolicy,
  signal: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = failures < tries ? waitOf(error, baseMs * 2 ** (failures - 1)) : undefined;
      if (waitMs === undefined) throw error;
      // A run that is cut short hears of its own end.
      await setTimeout(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

function waitOf(error: unknown, usualMs: number): number | undefined {
  if (!(error instanceof UpstreamRefusal) || !isPassing(error.status)) return undefined;
  // Spread, so that those who were refused together do not come back together.
  const waitMs = error.retryAfterMs ?? usualMs * (0.5 + Math.random() / 2);
  return waitMs <= MAX_WAIT_MS ? waitMs : undefined;
}

/** Whether another try may be answered otherwise. */
export function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}
