import { rm } from 'node:fs/promises';
import type { LocalFile } from './storage.js';

/** An upload that has arrived and belongs to nobody yet. */
export class SpooledFile implements LocalFile {
  constructor(
    readonly path: string,
    /** As it was sent, made harmless. */
    readonly filename: string,
    /** As its content says. */
    readonly contentType: string,
    /** Without a dot; empty for what is unknown. */
    readonly extension: string,
    readonly size: number,
    readonly sha256: string,
  ) {}

  /** Tells this upload from others: for requests that are sent again. */
  get fingerprint(): string {
    return JSON.stringify([this.filename, this.sha256]);
  }

  /** Harmless once the file has been stored. */
  async discard(): Promise<void> {
    await rm(this.path, { force: true });
  }
}
