import type { Database } from '../../platform/database/database.js';
import { expression, queries } from '../../platform/database/typed-queries.js';
import { deleteInBatches } from '../../platform/sql/delete-in-batches.js';
import type { TriggerTables } from './trigger-tables.js';

const MAX_AGE_DAYS = 30;

/** Deletes old entries of the logs of triggers. Safe to repeat and to run concurrently. */
export function deleteOldFirings(database: Database): Promise<unknown> {
  return deleteInBatches(rows =>
    queries<TriggerTables>(database)
      .deleteFrom('trigger_firing')
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('trigger_firing')
          .select('id')
          .where('created_at', '<', expression<Date>`now() - make_interval(days => ${MAX_AGE_DAYS})`)
          .limit(rows)
          .forUpdate()
          .skipLocked(),
      )
      .returning('id')
      .execute(),
  );
}
