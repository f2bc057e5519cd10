import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { UnreadableError } from '../../engine/text/unreadable.js';
import type { ReaderMessage, ReaderTask } from './protocol.js';

export interface ReaderLimits {
  /** Of the whole reading. */
  timeoutMs: number;
  /** Of the process, in MiB: its heap, and on Linux all that it has. */
  memoryMb: number;
}

const SCRIPT = fileURLToPath(new URL('./reading-process.js', import.meta.url));
const DEFAULTS: ReaderLimits = { timeoutMs: 600_000, memoryMb: 1024 };
const WATCH_MS = 250;
const PAGE_BYTES = 4096;

type Told = Exclude<ReaderMessage, { kind: 'unreadable' | 'end' }>;

/** Reads documents, each in a process of its own: one that brings it down brings down nothing else. */
export class TextReader {
  readonly #limits: ReaderLimits;

  constructor(limits: Partial<ReaderLimits> = {}) {
    this.#limits = { ...DEFAULTS, ...limits };
  }

  /** Progress and chunks as they come; throws an UnreadableError for a document that cannot be read. */
  async *read(content: Readable, { contentType, chunkSize }: ReaderTask, signal: AbortSignal): AsyncGenerator<Told> {
    signal.throwIfAborted();
    const { timeoutMs, memoryMb } = this.#limits;
    const child = spawn(
      process.execPath,
      [`--max-old-space-size=${memoryMb >> 1}`, SCRIPT, contentType, String(chunkSize)],
      { stdio: ['pipe', 'ignore', 'ignore', 'pipe'], env: {} },
    );
    let verdict: string | undefined;
    const stop = (reason?: string) => {
      verdict ??= reason;
      child.kill('SIGKILL');
    };
    const ended = new Promise<void>(resolve => {
      child.once('close', () => resolve());
      child.once('error', () => resolve());
    });
    const onAbort = () => stop();
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => stop(`Reading the file took longer than ${timeoutMs / 1000} seconds.`), timeoutMs);
    const watch = setInterval(() => {
      void residentMb(child).then(mb => {
        if (mb > memoryMb) stop(NEEDS_MEMORY);
      });
    }, WATCH_MS);
    // A process that ends early closes its input: what it said before is what counts. A file that cannot be fetched counts.
    let fault: unknown;
    content.once('error', error => {
      fault = error;
      stop();
    });
    const sent = pipeline(content, child.stdin!).catch(() => {});
    try {
      for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
        const message = JSON.parse(line) as ReaderMessage;
        if (message.kind === 'end') return;
        if (message.kind === 'unreadable') throw new UnreadableError(message.reason);
        yield message;
      }
      await ended;
      signal.throwIfAborted();
      if (fault) throw fault;
      throw new UnreadableError(verdict ?? NEEDS_MEMORY);
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      signal.removeEventListener('abort', onAbort);
      child.kill('SIGKILL');
      await Promise.all([sent, ended]);
    }
  }
}

const NEEDS_MEMORY = 'Reading the file needs more memory than it may take.';

/** What the process holds, in MiB; 0 where the system does not say. */
async function residentMb({ pid }: ChildProcess): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  return (Number(statm.split(' ')[1] ?? 0) * PAGE_BYTES) / 1024 / 1024;
}
