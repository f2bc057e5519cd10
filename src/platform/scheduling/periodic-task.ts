import type { Log } from '../logging/log.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

export interface PeriodicTaskOptions {
  /** For the log: `clearing sessions`. */
  name: string;
  everyMs: number;
  run(): Promise<unknown>;
}

/** Runs once when it starts and then at its interval. A failed run is logged, and the next one tries again. */
export class PeriodicTask {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: Log,
    private readonly options: PeriodicTaskOptions,
  ) {}

  start(): void {
    const { name, everyMs, run } = this.options;
    const once = () => {
      run().catch(error => this.log.warn({ err: error }, `${name} failed; the next run tries again`));
    };
    this.#timer = setInterval(once, everyMs);
    once();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
