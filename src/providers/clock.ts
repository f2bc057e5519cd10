import type { Clock } from '../engine/ports.js';
import { withContext } from '../platform/tracing/work-context.js';

/** The clock of the operating system. */
export const systemClock: Clock = {
  now: () => new Date(),
  sleep,
  observeWaits: (waitFor, work) => withContext({ waitFor }, work),
};

/** Node's `timers/promises` creates an error with a stack trace for each aborted sleep. Most sleeps guard a call and are aborted. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
