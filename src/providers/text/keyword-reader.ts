import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { UnreadableError } from '../../engine/text/unreadable.js';
import { type ReaderLimits, readInChild } from './child-reader.js';
import type { KeywordMessage, KeywordTask } from './protocol.js';

const SCRIPT = fileURLToPath(new URL('./keyword-process.js', import.meta.url));
const DEFAULTS: ReaderLimits = { timeoutMs: 30_000, memoryMb: 512 };

/** Extracts the keywords of pages, each in a separate process, so that a crash affects only that page. */
export class KeywordReader {
  readonly #limits: ReaderLimits;

  constructor(limits: Partial<ReaderLimits> = {}) {
    this.#limits = { ...DEFAULTS, ...limits };
  }

  /** Returns the keywords, best first. The type is detected from the content. Throws an UnreadableError for content without text. */
  async read(content: Uint8Array, task: KeywordTask, signal: AbortSignal): Promise<string[]> {
    const input = Readable.from([Buffer.from(`${JSON.stringify(task)}\n`), Buffer.from(content)]);
    const messages = readInChild<Extract<KeywordMessage, { kind: 'keywords' }>>(
      { script: SCRIPT, args: [], content: input, limits: this.#limits },
      signal,
    );
    for await (const { keywords } of messages) return keywords;
    throw new UnreadableError('The page could not be read.');
  }
}
