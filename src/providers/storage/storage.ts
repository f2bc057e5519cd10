import type { Readable } from 'node:stream';

/** A file that lies on the local disk and is about to be stored. */
export interface LocalFile {
  path: string;
  /** Bytes. */
  size: number;
  /** SHA-256 of the content, in hexadecimals. */
  sha256: string;
}

/** Keeps files under keys that we make up ourselves: random, and never a name that somebody sent. */
export interface Storage {
  /** Stores the content under the key; the local file may be moved away by it. All of it or nothing is there after. */
  put(key: string, file: LocalFile): Promise<void>;
  /** Throws a `StoredFileMissingError` when there is none. */
  open(key: string): Promise<Readable>;
  /** Harmless when there is none. */
  remove(key: string): Promise<void>;
}

export class StoredFileMissingError extends Error {
  constructor(key: string) {
    super(`there is no stored file ${key}`);
    this.name = 'StoredFileMissingError';
  }
}

const KEY = /^[0-9a-f]{32}(\.[a-z0-9]{1,8})?$/;

/** The last guard before a key becomes part of a path. */
export function assertKey(key: string): void {
  if (!KEY.test(key)) throw new Error('a key of stored files is 32 hexadecimals and an extension');
}
