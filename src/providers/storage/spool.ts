import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '../../platform/config/make-folder.js';
import { PayloadTooLargeError } from '../../platform/errors/errors.js';
import { contentTypeOf } from './content-type.js';
import { cleanFilename } from './filename.js';
import { SpooledFile } from './spooled-file.js';

/** Nobody waits so long for an upload: what is older was left behind by a process that died. */
const ABANDONED_MS = 24 * 3_600_000;

/** The folder in which uploads arrive. A file leaves it for its place in the storage, or is discarded. */
export class Spool {
  private constructor(
    private readonly folder: string,
    /** Bytes of one file. */
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
      if (Date.now() - modified > ABANDONED_MS) await rm(path, { force: true });
    }
    return new Spool(folder, maxBytes);
  }

  /** Takes a file in as it comes, never more of it in memory than a chunk. A failure leaves nothing behind. */
  async receive(content: Readable, filename: string): Promise<SpooledFile> {
    const path = join(this.folder, randomBytes(16).toString('hex'));
    const hash = createHash('sha256');
    const { maxBytes } = this;
    const tooLarge = () => this.tooLarge();
    let size = 0;
    // Opened before anything can fail: a stream that opens it later may do so after it was removed.
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
      const { type, extension } = await contentTypeOf(path, name);
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
