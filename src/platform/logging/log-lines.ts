import { pino } from 'pino';

const BATCH_CHARACTERS = 16_384;
const BATCH_MS = 50;
/** Lines from this level on are written immediately: `warn` of pino. */
const IMMEDIATE_LEVEL = 40;

/**
 * Writes to standard output with one system call for many lines. A line below `warn` waits up to 50 ms for others, so
 * that one line per request or run costs little. A killed process may lose these lines.
 */
export class LogLines {
  /** Level of the next line; set by pino. */
  lastLevel = 0;
  /** Batches use plain writes, because pino's own buffering blocks forever if the output is no longer read. */
  readonly #out = pino.destination({ fd: 1, sync: true });
  #buffer = '';
  #timer: NodeJS.Timeout | undefined;

  /** `format` converts a JSON line to the text to write. */
  constructor(private readonly format: (line: string) => string = line => line) {
    Object.defineProperty(this, Symbol.for('pino.metadata'), { value: true });
    process.once('exit', () => this.#flush());
  }

  write(line: string): void {
    this.#buffer += this.format(line);
    if (this.lastLevel >= IMMEDIATE_LEVEL || this.#buffer.length >= BATCH_CHARACTERS) return this.#flush();
    this.#timer ??= setTimeout(() => this.#flush(), BATCH_MS).unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#buffer;
    this.#buffer = '';
    if (lines !== '') this.#out.write(lines);
  }
}
