import { performance } from 'node:perf_hooks';

const LOOK_MS = 1_000;
/** Event loop utilization of one look from which on the process is at work. */
const BUSY = 0.2;
/** Event loop utilization over `IDLE_MS` up to which the process is idle; without any request it is about 0.015. */
const IDLE = 0.05;
/**
 * A last-resort collection discards optimized code and hidden classes as well: for one to two seconds afterwards a request takes
 * twice the processor's time. A pause between two bursts is not worth that.
 */
const IDLE_MS = 30_000;
/** Growth of the resident memory over the least after a collection that is worth another one. */
const GROWTH = 1.15;
/** A collection that leaves more than this share was in vain: the process has to be idle for twice as long before the next one. */
const IN_VAIN = 0.95;
const MAX_IDLE_MS = 10 * 60_000;

/**
 * Returns memory to the system: in the first idle second after the start, and after each burst of work once the process has been
 * idle for `idleMs`. V8 collects only when it needs room, so that an idle process would keep what its last burst left behind. Does
 * nothing where Node was started without `--expose-gc`.
 */
export function releaseMemoryWhenIdle(idleMs = IDLE_MS): void {
  const { gc } = globalThis;
  if (!gc) return;
  const idle = new IdleWatch();
  let leastBytes = Number.POSITIVE_INFINITY;
  let wait = 0;
  setInterval(() => {
    if (idle.isBusy()) wait = Math.min(wait, idleMs);
    if (!idle.hasLasted(wait)) return;
    const before = process.memoryUsage.rss();
    if (Number.isFinite(leastBytes) && before < leastBytes * GROWTH) return;
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    const after = process.memoryUsage.rss();
    // What is still in use now may be free later: the least that was ever left is what an idle process needs.
    leastBytes = Math.min(leastBytes, after);
    wait = after > before * IN_VAIN && wait > 0 ? Math.min(wait * 2, MAX_IDLE_MS) : idleMs;
    idle.begin();
  }, LOOK_MS).unref();
}

/** Measures since when the process has been idle. */
class IdleWatch {
  #last = performance.eventLoopUtilization();
  #first = this.#last;
  #since = performance.now();

  /** Whether the process was at work since the last call; idleness begins anew then. */
  isBusy(): boolean {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#last);
    this.#last = now;
    if (utilization > BUSY) this.begin();
    return utilization > BUSY;
  }

  hasLasted(ms: number): boolean {
    if (performance.now() - this.#since < ms) return false;
    const isIdle = performance.eventLoopUtilization(this.#last, this.#first).utilization <= IDLE;
    if (!isIdle) this.begin();
    return isIdle;
  }

  begin(): void {
    this.#first = this.#last;
    this.#since = performance.now();
  }
}
