/** Past so many the first of them would wait longer than the others gain. */
const MOST = 32;

/**
 * A step that many pieces of work come to at about the same time, as the requests of many callers do. What arrives in one
 * turn of the event loop goes on together, step by step for all of it, rather than each from beginning to end: code and
 * data of a step stay in the processor's caches, and a process that is written to is woken once for many writes.
 */
export class Stage {
  /** What came in this turn, and in the one before it. */
  #count = 0;
  #before = 0;
  /** Who goes on together. */
  #group: Promise<void> | undefined;
  #size = 0;

  /** Resolves when this turn has read what there is to read. Undefined where nobody else has come of late: nobody is waited for. */
  gather(): Promise<void> | undefined {
    this.#count++;
    if (this.#count === 1) setImmediate(() => this.#close());
    if (this.#count === 1 && this.#before <= 1) return undefined;
    if (!this.#group || this.#size === MOST) this.#open();
    this.#size++;
    return this.#group;
  }

  /** Does `work` then. */
  goOn(work: () => void): void {
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
