import type { Database } from '../../platform/database/database.js';
import { expression, queryBuilder } from '../../platform/database/typed-queries.js';
import { deleteInBatches } from '../../platform/sql/delete-in-batches.js';
import type { RehearsalTables } from './rehearsal-tables.js';

/** Deletes rehearsals that ended more than `ttlDays` days ago. Safe to run concurrently in several processes. */
export async function deleteOldRehearsals(database: Database, ttlDays: number): Promise<void> {
  await deleteInBatches(limit =>
    queryBuilder<RehearsalTables>(database)
      .deleteFrom('rehearsal')
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('rehearsal')
          .select('id')
          .where('finished_at', '<', expression<Date>`now() - make_interval(days => ${ttlDays})`)
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      )
      .returning('id')
      .execute(),
  );
}
