import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../main.js', import.meta.url));
const STARTED = /"url":(?:null|"([^"]*)")[^\n]*"msg":"started"/;
/** A line of the product's log, or the message of an error that Node prints with its stack. */
const LOG_LINE = /^(?:\{.*\}|\w*Error\b.*)$/;
const TAIL = 20_000;

export interface MemberOptions {
  /** The program; the product unless it is named. */
  main?: string;
  environment: Record<string, string>;
  /** Given to Node before the program. */
  nodeOptions?: string[];
  /** Descriptors that it may have open. */
  descriptors?: number;
  /** The network namespace that it runs in. */
  namespace?: string;
}

/** A process of the product. What it prints is read to the end, and the last of it is kept. */
export class Member {
  url = '';
  isReady = false;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Resolves when it has ended and its output has been read. */
  readonly closed: Promise<void>;
  readonly #child: ChildProcess;
  #output = '';
  #log = '';

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
        this.#log = (this.#log + text).slice(-TAIL);
        const started = STARTED.exec(this.#log);
        if (!started) return;
        this.url = started[1] ?? '';
        this.isReady = true;
      }
    };
    this.#child.stdout?.on('data', read);
    this.#child.stderr?.on('data', read);
    // Nothing outlives the suite, however that ends.
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

  /** The last that it printed. */
  get output(): string {
    return this.#output;
  }

  /** The last line of its log, or the message of the error that ended it. */
  get lastLine(): string {
    const lines = this.#output.split('\n').filter(line => line.trim() !== '');
    return lines.findLast(line => LOG_LINE.test(line)) ?? lines.at(-1) ?? '(none)';
  }

  /** Resolves with true when it is ready, with false when it ended before. */
  async ready(withinMs = 600_000): Promise<boolean> {
    const until = Date.now() + withinMs;
    while (!this.isReady) {
      if (!this.isAlive) return false;
      if (Date.now() > until) throw new Error(`a process was not ready within ${withinMs} ms:\n${this.output}`);
      await new Promise(resolve => setTimeout(resolve, 15));
    }
    return true;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Resolves when it is gone. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    if (this.isAlive) this.signal(signal);
    return this.exited;
  }

  /** Resolves when the process has stopped itself, with false when it ended or passed `withinMs` running. */
  async stopped(withinMs: number): Promise<boolean> {
    const until = Date.now() + withinMs;
    while (this.isAlive && Date.now() < until) {
      if (/^State:\s+T/m.test(this.#status())) return true;
      await new Promise(resolve => setTimeout(resolve, 15));
    }
    return false;
  }

  /** Megabytes that it holds, and the most it ever held. */
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
