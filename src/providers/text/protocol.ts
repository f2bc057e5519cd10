import type { TextChunk } from '../../engine/text/chunk.js';

/** What the reading process writes: one JSON text a line. */
export type ReaderMessage =
  | { kind: 'progress'; done: number }
  | { kind: 'chunk'; chunk: TextChunk }
  | { kind: 'unreadable'; reason: string }
  | { kind: 'end' };

/** The arguments of the reading process, in their order. */
export interface ReaderTask {
  contentType: string;
  /** Most tokens of a chunk. */
  chunkSize: number;
}
