import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Database, Sql } from '../../platform/database/database.js';
import { anyText, expression, NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import type { Log } from '../../platform/logging/log.js';
import { failpoint } from '../../platform/testing/failpoint.js';
import type { SpooledFile } from '../../providers/storage/spooled-file.js';
import type { Storage } from '../../providers/storage/storage.js';
import type { DocumentTables } from './document-tables.js';

/** Longer than any upload takes. A stored file that has no document after this time is orphaned. */
const inOneHour = () => expression<Date>`now() + interval '1 hour'`;
const BATCH = 50;

/** Stores and removes the files of documents. A file without a document is removed after at most about an hour. */
export class DocumentFiles {
  constructor(
    private readonly database: Database,
    private readonly storage: Storage,
    private readonly log: Log,
  ) {}

  /**
   * Stores the files, then calls `write` with their storage keys in a transaction. If anything fails, the files are removed
   * again.
   */
  async store<T>(files: readonly SpooledFile[], write: (sql: Sql, keys: string[]) => Promise<T>): Promise<T> {
    const keys = files.map(({ extension }) => `${randomBytes(16).toString('hex')}${extensionOf(extension)}`);
    await queryBuilder<DocumentTables>(this.database)
      .insertInto('document_file_removal')
      .values(keys.map(key => ({ result_file: key, due_at: inOneHour() })))
      .execute();
    try {
      for (const [index, file] of files.entries()) await this.storage.put(keys[index]!, file);
      failpoint('upload.stored');
      return await this.database.transaction(async sql => {
        await queryBuilder<DocumentTables>(sql)
          .deleteFrom('document_file_removal')
          .where('result_file', '=', anyText(keys))
          .execute();
        return write(sql, keys);
      });
    } catch (error) {
      await queryBuilder<DocumentTables>(this.database)
        .updateTable('document_file_removal')
        .set({ due_at: NOW })
        .where('result_file', '=', anyText(keys))
        .execute();
      this.removeInBackground();
      throw error;
    }
  }

  open(key: string): Promise<Readable> {
    return this.storage.open(key);
  }

  /** Removes orphaned files in the background. The scheduled task repeats what fails. */
  removeInBackground(): void {
    this.remove().catch(error => {
      this.log.warn({ err: error }, 'removing stored files failed, trying again in ten minutes');
    });
  }

  /** Removes orphaned files. Safe to run concurrently: the row of a file is deleted after the file. */
  async remove(): Promise<void> {
    for (;;) {
      const rows = await queryBuilder<DocumentTables>(this.database)
        .selectFrom('document_file_removal')
        .select('result_file')
        .where('due_at', '<=', NOW)
        .orderBy('due_at')
        .limit(BATCH)
        .execute();
      for (const { result_file: key } of rows) {
        await this.storage.remove(key);
        await queryBuilder<DocumentTables>(this.database)
          .deleteFrom('document_file_removal')
          .where('result_file', '=', key)
          .execute();
      }
      if (rows.length < BATCH) return;
    }
  }
}

function extensionOf(extension: string): string {
  return /^[a-z0-9]{1,8}$/.test(extension) ? `.${extension}` : '';
}
