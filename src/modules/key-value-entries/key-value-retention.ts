import type { Database } from '../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import { deleteInBatches } from '../../platform/sql/delete-in-batches.js';
import type { KeyValueTables } from './key-value-tables.js';
import { deleteExpiredEntries } from './project-key-values.js';

/** Days for which the outcome of a change is kept for a run that resumes. */
const CHANGE_DAYS = 7;
const PROJECTS_PER_BATCH = 500;

/** Deletes expired entries, and recorded outcomes older than `CHANGE_DAYS`. Safe to repeat and to run concurrently. */
export async function deleteOldKeyValues(database: Database): Promise<void> {
  for (;;) {
    const projects = await queryBuilder<KeyValueTables>(database)
      .selectFrom('key_value_entry')
      .select('project_id as projectId')
      .distinct()
      .where('expires_at', '<=', NOW)
      .limit(PROJECTS_PER_BATCH)
      .execute();
    for (const { projectId } of projects) await deleteExpiredEntries(database, projectId);
    if (projects.length < PROJECTS_PER_BATCH) break;
  }
  await deleteInBatches(rows =>
    queryBuilder<KeyValueTables>(database)
      .deleteFrom('key_value_change')
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('key_value_change')
          .select('id')
          .where('created_at', '<', expression<Date>`now() - make_interval(days => ${CHANGE_DAYS})`)
          .limit(rows)
          .forUpdate()
          .skipLocked(),
      )
      .returning('id')
      .execute(),
  );
}
