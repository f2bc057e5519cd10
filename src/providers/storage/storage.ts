import type { Readable } from 'node:stream';

/** A file on the local disk that is to be stored. */
export interface LocalFile {
  path: string;
  /** Bytes. */
  size: number;
  /** SHA-256 of the content, in hexadecimal digits. */
  sha256: string;
}

/** Stores files under random keys. Filenames of users are never keys. */
export interface Storage {
  /** Stores the file atomically under the key. May move the local file. */
  put(key: string, file: LocalFile): Promise<void>;
  /** Opens the file. Throws a StoredFileMissingError if it does not exist. */
  open(key: string): Promise<Readable>;
  /** Removes the file. Has no effect if it does not exist. */
  remove(key: string): Promise<void>;
}

export class StoredFileMissingError extends Error {
  constructor(key: string) {
    super(`there is no stored file ${key}`);
    this.name = 'StoredFileMissingError';
  }
}

const KEY = /^[0-9a-f]{32}(\.[a-z0-9]{1,8})?$/;

/** Prevents path traversal: throws unless the key has the format of generated keys. */
export function assertKey(key: string): void {
  if (!KEY.test(key))
    throw new Error(
      `${JSON.stringify(key)} is not a key of a stored file: 32 hexadecimal digits and an optional extension`,
    );
}
