import type { TextChunk } from '../../engine/text/chunk.js';

/** The last message of a reading process. */
export type LastMessage = { kind: 'unreadable'; reason: string } | { kind: 'end' };

/** A message of the document reading process: one line of JSON. */
export type ReaderMessage = { kind: 'progress'; done: number } | { kind: 'chunk'; chunk: TextChunk } | LastMessage;

/** The arguments of the document reading process, in this order. */
export interface ReaderTask {
  contentType: string;
  /** Maximum tokens of a chunk. */
  chunkSize: number;
}

/** A message of the keyword process: one line of JSON. */
export type KeywordMessage = { kind: 'keywords'; keywords: string[] } | LastMessage;

/** The first line of the input of the keyword process, as JSON. The content of the page follows. */
export interface KeywordTask {
  /** Maximum number of keywords. */
  count: number;
  /** Words that no keyword may contain. */
  stopwords: readonly string[];
  /** Keywords that share a word with the topic come first. Empty: sorted by score only. */
  topic: string;
}
