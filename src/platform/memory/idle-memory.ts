import { performance } from 'node:perf_hooks';

const CHECK_MS = 1_000;
/** Event loop utilization (0-1) within one interval from which the process counts as busy. */
const BUSY = 0.2;
/** Event loop utilization over `IDLE_MS` below which the process counts as idle. Without requests it is about 0.015. */
const IDLE = 0.05;
/**
 * A last-resort garbage collection also discards optimized code and hidden classes. For one to two seconds afterwards,
 * a request takes twice the processor time. A pause between two bursts is not worth that. The memory of a burst is returned
 * within 60 s (`npm run bench -- memory-after-burst`).
 */
const IDLE_MS = 45_000;
/** Time in milliseconds after the start within which an idle second returns the memory of the start. Later, load has compiled code. */
const START_MS = 10_000;
/** Growth of the resident memory, relative to the minimum after a collection, that justifies another collection. */
const GROWTH = 1.15;
/**
 * If more than this share of the memory remains, the collection was useless. The process must then be idle twice as
 * long before the next one.
 */
const USELESS_SHARE = 0.95;
const MAX_IDLE_MS = 10 * 60_000;

/**
 * Returns memory to the system: in the first idle second of the first ten seconds, and when the process was idle for `idleMs`
 * after a burst. V8 collects only under memory pressure, so an idle process would keep the memory of its last burst.
 * Without `--expose-gc` this has no effect.
 */
export function releaseMemoryWhenIdle(idleMs = IDLE_MS): void {
  const { gc } = globalThis;
  if (!gc) return;
  const idle = new IdleWatch();
  let leastBytes = Number.POSITIVE_INFINITY;
  let wait = 0;
  const startsUntil = performance.now() + START_MS;
  setInterval(() => {
    if (wait === 0 && performance.now() > startsUntil) wait = idleMs;
    if (idle.isBusy()) wait = Math.min(wait, idleMs);
    if (!idle.isIdleFor(wait)) return;
    const before = process.memoryUsage.rss();
    if (Number.isFinite(leastBytes) && before < leastBytes * GROWTH) return;
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    const after = process.memoryUsage.rss();
    // Memory in use now may become free later. The minimum ever reached is the need of an idle process.
    leastBytes = Math.min(leastBytes, after);
    wait = after > before * USELESS_SHARE && wait > 0 ? Math.min(wait * 2, MAX_IDLE_MS) : idleMs;
    idle.restart();
  }, CHECK_MS).unref();
}

/** Measures how long the process has been idle. */
class IdleWatch {
  #last = performance.eventLoopUtilization();
  #first = this.#last;
  #since = performance.now();

  /** Whether the process was busy since the last call. If so, the idle time restarts. */
  isBusy(): boolean {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#last);
    this.#last = now;
    if (utilization > BUSY) this.restart();
    return utilization > BUSY;
  }

  isIdleFor(ms: number): boolean {
    if (performance.now() - this.#since < ms) return false;
    const isIdle = performance.eventLoopUtilization(this.#last, this.#first).utilization <= IDLE;
    if (!isIdle) this.restart();
    return isIdle;
  }

  restart(): void {
    this.#first = this.#last;
    this.#since = performance.now();
  }
}
