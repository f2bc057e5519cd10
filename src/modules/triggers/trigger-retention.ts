import type { Database } from '../../platform/database/database.js';
import { expression, queryBuilder } from '../../platform/database/typed-queries.js';
import { deleteInBatches } from '../../platform/sql/delete-in-batches.js';
import type { TriggerTables } from './trigger-tables.js';

const MAX_AGE_DAYS = 30;

/** Deletes conversations without a message for 30 days, or `resultTtlDays` if that is less. Safe to repeat and to run concurrently. */
export function deleteOldConversations(database: Database, resultTtlDays: number): Promise<unknown> {
  const days = Math.min(MAX_AGE_DAYS, resultTtlDays);
  return deleteInBatches(rows =>
    queryBuilder<TriggerTables>(database)
      .deleteFrom('trigger_conversation')
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('trigger_conversation')
          .select('id')
          .where('updated_at', '<', expression<Date>`now() - make_interval(days => ${days})`)
          .limit(rows)
          .forUpdate()
          .skipLocked(),
      )
      .returning('id')
      .execute(),
  );
}

/** Deletes old entries of the logs of triggers. Safe to repeat and to run concurrently. */
export function deleteOldFirings(database: Database): Promise<unknown> {
  return deleteInBatches(rows =>
    queryBuilder<TriggerTables>(database)
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
