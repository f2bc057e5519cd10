import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '../../platform/config/make-folder.js';
import { PayloadTooLargeError } from '../../platform/errors/errors.js';
import { detectContentType } from './content-type.js';
import { cleanFilename } from './filename.js';
import { SpooledFile } from './spooled-file.js';

/** Older files in the spool were left by a process that died. */
const MAX_AGE_MS = 24 * 3_600_000;

/** The folder for uploads in progress. A received file is moved to the storage or discarded. */
export class Spool {
  private constructor(
    private readonly folder: string,
    /** Maximum bytes of one file. */
    readonly maxBytes: number,
  ) {}

  static async open(folder: string, maxBytes: number): Promise<Spool> {
    await makeFolder(folder, 0o700);
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const modified = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => Date.now(),
      );
      if (Date.now() - modified > MAX_AGE_MS) await rm(path, { force: true });
    }
    return new Spool(folder, maxBytes);
  }

  /** Streams an upload to a file. A failure removes the file. Throws a PayloadTooLargeError above `maxBytes`. */
  async receive(content: Readable, filename: string): Promise<SpooledFile> {
    const path = join(this.folder, randomBytes(16).toString('hex'));
    const hash = createHash('sha256');
    const { maxBytes } = this;
    const tooLarge = () => this.tooLarge();
    let size = 0;
    // The content can fail before the pipeline below reads it, which then reports the failure. Without a listener it would end the process.
    content.on('error', () => {});
    // Opened here: a write stream opens its file later, possibly after the removal in the error path.
    const handle = await open(path, 'wx', 0o600);
    try {
      await pipeline(
        content,
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            size += chunk.length;
            if (size > maxBytes) throw tooLarge();
            hash.update(chunk);
            yield chunk;
          }
        },
        handle.createWriteStream({ flush: true }),
      );
      const name = cleanFilename(filename);
      const { type, extension } = await detectContentType(path, name);
      return new SpooledFile(path, name, type, extension, size, hash.digest('hex'));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  tooLarge(): PayloadTooLargeError {
    return new PayloadTooLargeError(`A file is larger than the allowed ${this.maxBytes / 1024 / 1024} MiB.`);
  }
}
