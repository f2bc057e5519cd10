import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Database, Sql } from '../../platform/database/database.js';
import type { Log } from '../../platform/logging/log.js';
import { failpoint } from '../../platform/testing/failpoint.js';
import type { SpooledFile } from '../../providers/storage/spooled-file.js';
import type { Storage } from '../../providers/storage/storage.js';

/** An upload takes less; after it a stored file without a document is one that somebody left behind. */
const INTENT = `interval '1 hour'`;
const BATCH = 50;

/** The stored files of documents: one is there exactly as long as a row names it, give or take an hour. */
export class DocumentFiles {
  constructor(
    private readonly database: Database,
    private readonly storage: Storage,
    private readonly log: Log,
  ) {}

  /** Stores the files, then has `write` give them to documents in one transaction; when that fails they are gone again. */
  async store<T>(files: readonly SpooledFile[], write: (sql: Sql, keys: string[]) => Promise<T>): Promise<T> {
    const keys = files.map(({ extension }) => `${randomBytes(16).toString('hex')}${extensionOf(extension)}`);
    await this.database.query(
      `insert into document_file_removal (result_file, due_at) select key, now() + ${INTENT} from unnest($1::text[]) key`,
      [keys],
    );
    try {
      for (const [index, file] of files.entries()) await this.storage.put(keys[index]!, file);
      failpoint('upload.stored');
      return await this.database.transaction(async sql => {
        await sql.query('delete from document_file_removal where result_file = any($1)', [keys]);
        return write(sql, keys);
      });
    } catch (error) {
      await this.database.query('update document_file_removal set due_at = now() where result_file = any($1)', [keys]);
      this.removeSoon();
      throw error;
    }
  }

  open(key: string): Promise<Readable> {
    return this.storage.open(key);
  }

  /** Without waiting for it: what fails now is tried again by a worker's next round. */
  removeSoon(): void {
    this.remove().catch(error => {
      this.log.warn({ err: error }, 'removing stored files failed; trying again in ten minutes');
    });
  }

  /** Removes the files that no document has. Safe beside itself: a file is struck out after it is gone. */
  async remove(): Promise<void> {
    for (;;) {
      const rows = await this.database.query<{ result_file: string }>(
        'select result_file from document_file_removal where due_at <= now() order by due_at limit $1',
        [BATCH],
      );
      for (const { result_file: key } of rows) {
        await this.storage.remove(key);
        await this.database.query('delete from document_file_removal where result_file = $1', [key]);
      }
      if (rows.length < BATCH) return;
    }
  }
}

function extensionOf(extension: string): string {
  return /^[a-z0-9]{1,8}$/.test(extension) ? `.${extension}` : '';
}
