import { pino } from 'pino';

const GATHER_CHARACTERS = 16_384;
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
  /** What gathers is written by plain writes: pino's own gathering stands still for ever where nobody reads any more. */
  readonly #out = pino.destination({ fd: 1, sync: true });
  #gathered = '';
  #timer: NodeJS.Timeout | undefined;

  /** `format` turns a JSON line into the text to write. */
  constructor(private readonly format: (line: string) => string = line => line) {
    Object.defineProperty(this, Symbol.for('pino.metadata'), { value: true });
    process.once('exit', () => this.#flush());
  }

  write(line: string): void {
    this.#gathered += this.format(line);
    if (this.lastLevel >= URGENT || this.#gathered.length >= GATHER_CHARACTERS) return this.#flush();
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS).unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#gathered;
    this.#gathered = '';
    if (lines !== '') this.#out.write(lines);
  }
}
