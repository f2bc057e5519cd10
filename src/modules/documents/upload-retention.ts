import type { Database } from '../../platform/database/database.js';
import { clearRows } from '../../platform/sql/clear-rows.js';

/** Longer than an idempotency key is remembered: after it nobody asks for the documents of an upload by its id. */
const KEPT_DAYS = 2;

/** Forgets which upload made a document; the document stays. */
export class UploadRetention {
  constructor(private readonly database: Database) {}

  /** Safe to run twice, and beside itself in another process. */
  async run(): Promise<void> {
    await clearRows(this.database, {
      table: 'document_upload',
      id: 'id, place',
      condition: `document_id in (
        select id from document where created_at < now() - make_interval(days => ${KEPT_DAYS}))`,
    });
  }
}
