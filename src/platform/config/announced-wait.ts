import type { Log } from '../logging/log.js';

/** The longest silence of a start that waits for something. */
const ANNOUNCE_MS = 2_000;

/**
 * Runs a step of the start that may wait. As long as it does, a warning every two seconds names what is waited for
 * and the last reason that the step reported; the first reason is logged at once.
 */
export async function announcedWait<T>(
  log: Pick<Log, 'warn'>,
  what: string,
  step: (report: (reason: string) => void) => Promise<T>,
): Promise<T> {
  const started = Date.now();
  let reason: string | undefined;
  const announce = () =>
    log.warn({ waitedMs: Date.now() - started, ...(reason ? { reason } : {}) }, `waiting for ${what}`);
  const timer = setInterval(announce, ANNOUNCE_MS);
  try {
    return await step(given => {
      const isFirst = reason === undefined;
      reason = given;
      if (isFirst) announce();
    });
  } finally {
    clearInterval(timer);
  }
}
