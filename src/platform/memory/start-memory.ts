import { performance } from 'node:perf_hooks';

const LOOK_MS = 1_000;
/** Of the time between two looks: what a process does that nobody asks for anything. */
const QUIET = 0.2;
/** Growth of the resident memory over the least after a collection that is worth another one. */
const GROWTH = 1.15;
/** Between two collections; each takes a tenth of a second. */
const PAUSE_MS = 20_000;
/** A collection that leaves more than this share was in vain: the next one waits twice as long. */
const IN_VAIN = 0.95;
const MAX_PAUSE_MS = 10 * 60_000;

/**
 * Hands memory back in quiet seconds: that of the start, and then that of each burst of work. V8 collects when it needs
 * room, so that an idle process would keep what its last burst left behind. Nothing happens where Node was started without
 * `--expose-gc`.
 */
export function releaseMemoryWhenQuiet(pauseMs = PAUSE_MS): void {
  const { gc } = globalThis;
  if (!gc) return;
  let before = performance.eventLoopUtilization();
  let idleBytes = Number.POSITIVE_INFINITY;
  let collectedAt = -pauseMs;
  let pause = pauseMs;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > QUIET) {
      pause = pauseMs;
      return;
    }
    if (performance.now() - collectedAt < pause) return;
    const resident = process.memoryUsage.rss();
    if (idleBytes < Number.POSITIVE_INFINITY && resident < idleBytes * GROWTH) return;
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    collectedAt = performance.now();
    const left = process.memoryUsage.rss();
    // What is still in use now may be free later: the least that was ever left is what an idle process needs.
    idleBytes = Math.min(idleBytes, left);
    pause = left > resident * IN_VAIN ? Math.min(pause * 2, MAX_PAUSE_MS) : pauseMs;
  }, LOOK_MS).unref();
}
