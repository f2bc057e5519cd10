import { performance } from 'node:perf_hooks';

const LOOK_MS = 1_000;
/** Of the time between two looks: what a process does that nobody asks for anything. */
const QUIET = 0.2;

/**
 * Hands back, in the first quiet second, the memory that the start took: nearly all that it makes is kept, so the young
 * generation has grown to its largest, of which an idle process has no use. It takes a tenth of a second, once. Nothing
 * happens where Node was started without `--expose-gc`.
 */
export function releaseStartMemory(): void {
  const { gc } = globalThis;
  if (!gc) return;
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > QUIET) return;
    clearInterval(timer);
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, LOOK_MS).unref();
}
