import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UnreadableError } from '../../engine/text/unreadable.js';
import { confinementOf } from './confinement.js';
import type { LastMessage } from './protocol.js';

export interface ReaderLimits {
  /** Time limit of the process in milliseconds. */
  timeoutMs: number;
  /** Memory limit of the process in MiB. On Linux it applies to the resident memory, elsewhere only to the heap. */
  memoryMb: number;
}

/** The content to read, and the script and limits of the process that reads it. */
export interface ChildTask {
  /** Path of the script that the process runs. */
  script: string;
  args: string[];
  /** Sent to the standard input of the process. */
  content: Readable;
  limits: ReaderLimits;
}

/** Interval of the checks of the resident memory. */
const CHECK_MS = 250;
/** The unit of `/proc/<pid>/statm`: the usual size of a memory page. */
const PAGE_BYTES = 4096;

/**
 * Reads content in a separate process and yields its messages. A crash affects only that process. Throws an UnreadableError for
 * unreadable content and for exceeded limits.
 */
export async function* readInChild<Message extends { kind: string }>(
  { script, args, content, limits: { timeoutMs, memoryMb } }: ChildTask,
  signal: AbortSignal,
): AsyncGenerator<Message> {
  signal.throwIfAborted();
  const confinement = await confinementOf(script);
  signal.throwIfAborted();
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapMb(memoryMb)}`, ...confinement.flags, script, ...args],
    {
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
      env: {},
      cwd: '/',
      ...confinement.user,
    },
  );
  let stopReason: string | undefined;
  const stop = (reason?: string) => {
    stopReason ??= reason;
    child.kill('SIGKILL');
  };
  const closed = new Promise<void>(resolve => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const onAbort = () => stop();
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => stop(`Reading the file took longer than ${timeoutMs / 1000} seconds.`), timeoutMs);
  const memoryCheck = setInterval(() => {
    void residentMb(child).then(mb => {
      if (mb > memoryMb) stop(NEEDS_MEMORY);
    });
  }, CHECK_MS);
  // Write errors after an early end of the process are ignored, because its messages decide. Errors of the source are rethrown.
  let sourceError: unknown;
  content.once('error', error => {
    sourceError = error;
    stop();
  });
  const input = pipeline(content, child.stdin!).catch(() => {});
  try {
    for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
      const message = JSON.parse(line) as Message | LastMessage;
      if (isEnd(message)) return;
      if (isUnreadable(message)) throw new UnreadableError(message.reason);
      yield message as Message;
    }
    await closed;
    signal.throwIfAborted();
    if (sourceError) throw sourceError;
    throw new UnreadableError(stopReason ?? NEEDS_MEMORY);
  } finally {
    clearTimeout(timer);
    clearInterval(memoryCheck);
    signal.removeEventListener('abort', onAbort);
    child.kill('SIGKILL');
    await Promise.all([input, closed]);
  }
}

/** Half of the memory is for the heap, half for buffers and the process itself. */
const heapMb = (memoryMb: number) => memoryMb >> 1;

/** Also the reason of an end that nothing else explains: the system or V8 ended the process. */
const NEEDS_MEMORY = 'Reading the file needs more memory than it may take.';

function isEnd(message: { kind: string }): boolean {
  return message.kind === 'end';
}

function isUnreadable(message: { kind: string }): message is Extract<LastMessage, { kind: 'unreadable' }> {
  return message.kind === 'unreadable';
}

/** Resident memory of the process in MiB; 0 on systems without /proc. */
async function residentMb({ pid }: ChildProcess): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  return (Number(statm.split(' ')[1] ?? 0) * PAGE_BYTES) / 1024 / 1024;
}
