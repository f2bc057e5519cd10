import type { Database } from '../../platform/database/database.js';
import { expression, queryBuilder } from '../../platform/database/typed-queries.js';
import { deleteInBatches } from '../../platform/sql/delete-in-batches.js';
import type { DocumentTables } from './document-tables.js';

/** Longer than the lifetime of an idempotency key (24 hours), after which an upload cannot be repeated by its id. */
const MAX_AGE_DAYS = 2;

/** Deletes old upload records. The documents stay. */
export class UploadRetention {
  constructor(private readonly database: Database) {}

  /** Runs once. Safe to repeat and to run concurrently in several processes. */
  async run(): Promise<void> {
    await deleteInBatches(limit =>
      queryBuilder<DocumentTables>(this.database)
        .deleteFrom('document_upload')
        .where(({ eb, refTuple, selectFrom }) => {
          const old = selectFrom('document')
            .select('document.id')
            .where('document.created_at', '<', expression<Date>`now() - make_interval(days => ${MAX_AGE_DAYS})`);
          const due = selectFrom('document_upload')
            .select(['id', 'place'])
            .where('document_id', 'in', old)
            .limit(limit)
            .forUpdate()
            .skipLocked();
          return eb(refTuple('id', 'place'), 'in', due.$asTuple('id', 'place'));
        })
        .returning('id')
        .execute(),
    );
  }
}
