import type { Usage } from '../usage.js';
import type { FileReference } from './reference.js';

/** A file that a node creates. */
export interface NewFile {
  /** Name without folders. */
  name: string;
  bytes: Uint8Array;
}

/** A file with its content. */
export interface LoadedFile {
  reference: FileReference;
  bytes: Uint8Array;
}

/** A file that a paid call created, with the usage of the call. */
export interface PaidFile {
  reference: FileReference;
  usage: Usage;
}

/** The files of the run's project. */
export interface FileStore {
  /** Reads a file. Throws a PortError with the code `file_not_found` or `file_too_large`. */
  read(fileId: string, maxBytes: number): Promise<LoadedFile>;
  /**
   * Stores a file and keeps it with the run. A repeated call with the same file and key returns the first one. Throws a
   * PortError with the code `file_refused` when a limit is exceeded.
   */
  write(file: NewFile, key: string): Promise<FileReference>;
  /** Returns the file that `writePaid` stored under the key; undefined: none. */
  findPaid(key: string): Promise<PaidFile | undefined>;
  /**
   * Stores the file of a paid call together with the usage of the call, so that the answer survives the death of the
   * process. Under each key there is one file: a repeated call returns it, also with another content. Throws like `write`.
   */
  writePaid(file: NewFile, usage: Usage, key: string): Promise<FileReference>;
}
