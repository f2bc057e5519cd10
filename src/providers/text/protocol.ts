import type { TextChunk } from '../../engine/text/chunk.js';

/** How a reading process ends what it writes. */
export type LastMessage = { kind: 'unreadable'; reason: string } | { kind: 'end' };

/** What the reading process writes: one JSON text a line. */
export type ReaderMessage = { kind: 'progress'; done: number } | { kind: 'chunk'; chunk: TextChunk } | LastMessage;

/** The arguments of the reading process, in their order. */
export interface ReaderTask {
  contentType: string;
  /** Most tokens of a chunk. */
  chunkSize: number;
}

/** What the process that looks for keywords writes. */
export type KeywordMessage = { kind: 'keywords'; keywords: string[] } | LastMessage;

/** The first line of what that process reads, as JSON; the content follows. */
export interface KeywordTask {
  /** Most keywords. */
  count: number;
  /** That no keyword may hold. */
  stopwords: readonly string[];
  /** Keywords that share a word with it come first; empty: the best come first. */
  topic: string;
}
