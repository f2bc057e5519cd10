import { pino } from 'pino';

const GATHER_BYTES = 8_192;
const GATHER_MS = 50;
/** From here on a line is written at once: `warn` of pino. */
const URGENT = 40;

/**
 * Standard output, a system call for many lines: a line below `warn` waits for others up to 50 ms, so that one for each
 * request and run costs next to nothing. A process that is killed may take those with it.
 */
export class LogLines {
  /** Of the line that comes next: pino sets it. */
  lastLevel = 0;
  readonly #out = pino.destination({ fd: 1, sync: true, minLength: GATHER_BYTES });
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    Object.defineProperty(this, Symbol.for('pino.metadata'), { value: true });
    process.once('exit', () => this.flushSync());
  }

  write(line: string): void {
    this.#out.write(line);
    if (this.lastLevel >= URGENT) return this.flushSync();
    this.#timer ??= setTimeout(() => this.flushSync(), GATHER_MS).unref();
  }

  flushSync(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#out.flushSync();
  }
}
