import { forNobody } from './scope.js';

/**
 * A step that many pieces of work come to at about the same time, as the requests of many callers do. What arrives in one
 * turn of the event loop goes on together, step by step for all of it, rather than each from beginning to end: code and
 * data of a step stay in the processor's caches, and a process that is written to is woken once for many writes.
 */
export class Stage {
  /** What came in this turn, and in the one before it. */
  #count = 0;
  #before = 0;
  #gathered: Promise<void> | undefined;
  #release: (() => void) | undefined;

  /** Resolves when this turn has read what there is to read. Undefined where nobody else has come of late: nobody is waited for. */
  gather(): Promise<void> | undefined {
    if (this.#count++ === 0) forNobody(() => setImmediate(() => this.#close()));
    if (this.#before <= 1 && this.#count === 1) return undefined;
    this.#gathered ??= new Promise(resolve => {
      this.#release = resolve;
    });
    return this.#gathered;
  }

  #close(): void {
    const release = this.#release;
    this.#before = this.#count;
    this.#count = 0;
    this.#gathered = undefined;
    this.#release = undefined;
    release?.();
  }
}
