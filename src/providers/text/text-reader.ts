import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type ReaderLimits, readInChild } from './child-reader.js';
import type { ReaderMessage, ReaderTask } from './protocol.js';

const SCRIPT = fileURLToPath(new URL('./reading-process.js', import.meta.url));
const DEFAULTS: ReaderLimits = { timeoutMs: 600_000, memoryMb: 1024 };

/** Reads documents, each in a separate process, so that a crash affects only that document. */
export class TextReader {
  readonly #limits: ReaderLimits;

  constructor(limits: Partial<ReaderLimits> = {}) {
    this.#limits = { ...DEFAULTS, ...limits };
  }

  /** Yields progress and chunks. Throws an UnreadableError for a document that cannot be read. */
  read(
    content: Readable,
    { contentType, chunkSize }: ReaderTask,
    signal: AbortSignal,
  ): AsyncGenerator<Extract<ReaderMessage, { kind: 'chunk' | 'progress' }>> {
    const args = [contentType, String(chunkSize)];
    return readInChild({ script: SCRIPT, args, content, limits: this.#limits }, signal);
  }
}
