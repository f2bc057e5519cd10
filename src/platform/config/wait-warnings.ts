import type { Log } from '../logging/log.js';

/** Interval between two warnings while a startup step waits, in milliseconds. */
const ANNOUNCE_MS = 2_000;

/**
 * Runs a startup step that may wait. Logs a warning every two seconds with the subject of the wait and the last
 * reported reason. The first reported reason is logged immediately.
 */
export async function withWaitWarnings<T>(
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
    return await step(latest => {
      const isFirst = reason === undefined;
      reason = latest;
      if (isFirst) announce();
    });
  } finally {
    clearInterval(timer);
  }
}
