import type { Clock } from '../engine/ports.js';

/** The time of the machine. */
export const systemClock: Clock = { now: () => new Date(), sleep };

/** Node's own makes an exception with its stack for each sleep that is cut short, and most are: they guard a call. */
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
