import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../main.js', import.meta.url));
const STARTED = /"url":(?:null|"([^"]*)")[^\n]*"msg":"started"/;
/** A log line of the product, or the message of an error that Node prints with its stack. */
const LOG_LINE = /^(?:\{.*\}|\w*Error\b.*)$/;
/** Number of characters of the output that are kept. */
const TAIL = 20_000;

export interface MemberOptions {
  /** Path of the program; default: the product. */
  main?: string;
  environment: Record<string, string>;
  /** Arguments of Node in front of the program. */
  nodeOptions?: string[];
  /** Limit of open file descriptors. */
  descriptors?: number;
  /** Network namespace of the process. */
  namespace?: string;
}

/** A process of the product. Its output is consumed, and the end of the output is kept. */
export class Member {
  url = '';
  isReady = false;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Resolves when the process has ended and its output has been read. */
  readonly closed: Promise<void>;
  readonly #child: ChildProcess;
  #output = '';

  constructor({ main = MAIN, environment, nodeOptions = [], descriptors, namespace }: MemberOptions) {
    const args = [...nodeOptions, main];
    const [command, words] =
      descriptors === undefined
        ? [process.execPath, args]
        : ['/bin/sh', ['-c', `ulimit -n ${descriptors}; exec "$0" "$@"`, process.execPath, ...args]];
    const within = namespace === undefined ? [] : ['ip', 'netns', 'exec', namespace];
    const [program, ...rest] = [...within, command, ...words];
    this.#child = spawn(program!, rest, {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment, LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exited = new Promise(resolve => {
      this.#child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    this.closed = new Promise(resolve => {
      this.#child.once('close', () => resolve());
    });
    const read = (chunk: Buffer) => {
      const text = chunk.toString();
      this.#output = (this.#output + text).slice(-TAIL);
      if (!this.isReady) {
        const started = STARTED.exec(this.#output);
        if (!started) return;
        this.url = started[1] ?? '';
        this.isReady = true;
      }
    };
    this.#child.stdout?.on('data', read);
    this.#child.stderr?.on('data', read);
    // No process may outlive the suite, however the suite ends.
    const kill = () => this.#child.kill('SIGKILL');
    process.once('exit', kill);
    void this.exited.then(() => process.off('exit', kill));
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The end of its output. */
  get output(): string {
    return this.#output;
  }

  /** The last line of its log, or the message of the error that ended it. */
  get lastLine(): string {
    const lines = this.#output.split('\n').filter(line => line.trim() !== '');
    return lines.findLast(line => LOG_LINE.test(line)) ?? lines.at(-1) ?? '(none)';
  }

  /** Resolves with true when it is ready, with false when it exited before. */
  async ready(timeoutMs = 600_000): Promise<boolean> {
    const until = Date.now() + timeoutMs;
    while (!this.isReady) {
      if (!this.isAlive) return false;
      if (Date.now() > until) throw new Error(`a process was not ready within ${timeoutMs} ms:\n${this.output}`);
      await new Promise(resolve => setTimeout(resolve, 15));
    }
    return true;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Resolves when the process has ended. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    if (this.isAlive) this.signal(signal);
    return this.exited;
  }

  /**
   * Resolves with true when the process has stopped itself, with false when it exited or was still running after
   * `timeoutMs`.
   */
  async stopped(timeoutMs: number): Promise<boolean> {
    const until = Date.now() + timeoutMs;
    while (this.isAlive && Date.now() < until) {
      if (/^State:\s+T/m.test(this.#status())) return true;
      await new Promise(resolve => setTimeout(resolve, 15));
    }
    return false;
  }

  /** Current and highest memory use in megabytes. */
  memory(): { nowMb: number; peakMb: number } {
    const status = this.#status();
    const read = (name: string) =>
      Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024);
    return { nowMb: read('VmRSS'), peakMb: read('VmHWM') };
  }

  openDescriptors(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  #status(): string {
    try {
      return readFileSync(`/proc/${this.pid}/status`, 'utf8');
    } catch {
      return '';
    }
  }
}
