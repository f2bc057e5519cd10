import { PortError } from '../../engine/ports.js';

const MAX_WAITING = 10_000;

/** Lets so many work at the same time; the others wait for their turn, first come first served. */
export class Turns {
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(private readonly most: number) {}

  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#take(signal);
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#taken < this.most) {
      this.#taken++;
      return Promise.resolve();
    }
    if (this.#waiting.size >= MAX_WAITING)
      throw new PortError('provider_busy', 'Too many calls wait for the model provider.');
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(go);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.add(go);
    });
  }

  /** A turn that ends goes to the next one, or is free. */
  #pass(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#taken--;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
