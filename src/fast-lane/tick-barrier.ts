import type { Barrier } from '../platform/outbound/outbound.js';

/** In a larger group the first call waits longer than the others gain. */
const MAX_GROUP = 32;

/**
 * Groups calls that reach the same step in one turn of the event loop, so that they continue together (ADR 0026). Code and data of the
 * step stay in the processor's caches, and a process that receives the writes wakes once for the group.
 */
export class TickBarrier implements Barrier {
  /** Calls in this turn of the event loop and in the previous one. */
  #count = 0;
  #previousCount = 0;
  #group: Promise<void> | undefined;
  #release: () => void = () => {};
  #size = 0;

  /** Resolves when this turn has read its input or the group is complete. Undefined if no other call arrived recently, so there is no group to wait for. */
  gather(): Promise<void> | undefined {
    this.#count++;
    if (this.#count === 1) setImmediate(() => this.#close());
    if (this.#count === 1 && this.#previousCount <= 1) return undefined;
    const group = this.#group ?? this.#open();
    this.#size++;
    if (this.#size === MAX_GROUP) {
      this.#release();
      this.#group = undefined;
    }
    return group;
  }

  /** Calls `work` together with the other calls of the group; immediately if there is no group. */
  run(work: () => void): void {
    const gathered = this.gather();
    if (gathered) void gathered.then(work);
    else work();
  }

  #open(): Promise<void> {
    this.#size = 0;
    this.#group = new Promise(resolve => {
      this.#release = resolve;
      setImmediate(resolve);
    });
    return this.#group;
  }

  #close(): void {
    this.#previousCount = this.#count;
    this.#count = 0;
    this.#group = undefined;
  }
}
