import type { Barrier } from '../platform/outbound/outbound.js';

/** Beyond this size the first member would wait longer than the others gain. */
const MAX_GROUP = 32;

/**
 * A step that many calls reach at about the same time. Calls that arrive in one turn of the event loop continue together, step by
 * step, instead of one after the other from beginning to end: code and data of a step stay in the processor's caches, and a process
 * that is written to is woken once for many writes (ADR 0026).
 */
export class TickBarrier implements Barrier {
  /** Arrivals in this turn and in the one before it. */
  #count = 0;
  #before = 0;
  #group: Promise<void> | undefined;
  #size = 0;

  /** Resolves when this turn has read its input. Undefined without other recent arrivals: there is nothing to wait for. */
  gather(): Promise<void> | undefined {
    this.#count++;
    if (this.#count === 1) setImmediate(() => this.#close());
    if (this.#count === 1 && this.#before <= 1) return undefined;
    if (!this.#group || this.#size === MAX_GROUP) this.#open();
    this.#size++;
    return this.#group;
  }

  /** Calls `work` after `gather`. */
  run(work: () => void): void {
    const gathered = this.gather();
    if (gathered) void gathered.then(work);
    else work();
  }

  #open(): void {
    this.#size = 0;
    this.#group = new Promise(resolve => {
      setImmediate(resolve);
    });
  }

  #close(): void {
    this.#before = this.#count;
    this.#count = 0;
    this.#group = undefined;
  }
}
