import { rm } from 'node:fs/promises';
import type { LocalFile } from './storage.js';

/** An upload that is received and not stored yet. */
export class SpooledFile implements LocalFile {
  constructor(
    readonly path: string,
    /** The cleaned filename of the upload. */
    readonly filename: string,
    /** Detected from the content. */
    readonly contentType: string,
    /** Without a dot; empty for an unknown type. */
    readonly extension: string,
    readonly size: number,
    readonly sha256: string,
  ) {}

  /** Identifies the upload when a request with an idempotency key is repeated. */
  get fingerprint(): string {
    return JSON.stringify([this.filename, this.sha256]);
  }

  /** Removes the file. Has no effect after it has been stored. */
  async discard(): Promise<void> {
    await rm(this.path, { force: true });
  }
}
