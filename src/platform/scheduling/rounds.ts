import type { Log } from '../logging/log.js';

/**
 * Work that comes again and again: once at the start, then at its interval. A round that fails is told, and the next one
 * tries again.
 */
export class Rounds {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: Log,
    private readonly round: { what: string; everyMs: number; run(): Promise<unknown> },
  ) {}

  start(): void {
    const { what, everyMs, run } = this.round;
    const once = () => {
      run().catch(error => this.log.warn({ err: error }, `${what} failed; the next round tries again`));
    };
    this.#timer = setInterval(once, everyMs);
    once();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
