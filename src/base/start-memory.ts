import { performance } from 'node:perf_hooks';

const LOOK_MS = 1_000;
/** Of the time between two looks: what a process does that nobody asks for anything. */
const QUIET = 0.2;
/** Growth of the resident memory since the last collection that is worth another one. */
const GROWTH = 1.15;
/** Between two collections; each takes a tenth of a second. */
const PAUSE_MS = 20_000;

/**
 * Hands memory back in quiet seconds: that of the start, and then that of each burst of work. V8 collects when it needs
 * room, so that an idle process would keep what its last burst left behind. Nothing happens where Node was started without
 * `--expose-gc`.
 */
export function releaseMemoryWhenQuiet(pauseMs = PAUSE_MS): void {
  const { gc } = globalThis;
  if (!gc) return;
  let before = performance.eventLoopUtilization();
  let idleBytes = 0;
  let collectedAt = -pauseMs;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > QUIET || performance.now() - collectedAt < pauseMs) return;
    if (process.memoryUsage.rss() < idleBytes * GROWTH) return;
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    collectedAt = performance.now();
    // What cannot be handed back is not asked for again.
    idleBytes = process.memoryUsage.rss();
  }, LOOK_MS).unref();
}
