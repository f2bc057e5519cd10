import type { Database } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import { deleteInBatches } from '../../../platform/sql/delete-in-batches.js';
import type { ProjectFileTables } from '../../files/project-file-tables.js';
import type { RunFiles } from '../../files/run-files.js';
import { isExpired } from '../history/run-columns.js';
import type { RunTables } from '../run-tables.js';

/**
 * Deletes the files of deleted runs and of runs whose results are older than `ttlDays` days. Safe to repeat and to run
 * concurrently.
 */
export async function deleteRunFiles(database: Database, files: RunFiles, ttlDays: number): Promise<void> {
  await deleteInBatches(async rows => {
    const due = await queryBuilder<RunTables & ProjectFileTables>(database)
      .selectFrom('project_file as f')
      .leftJoin('workflow_run as r', 'r.id', 'f.run_id')
      .select('f.id')
      .where('f.run_id', 'is not', null)
      .where(({ eb, or }) => or([eb('r.id', 'is', null), isExpired(ttlDays)]))
      .limit(rows)
      .execute();
    if (due.length > 0) await files.delete(due.map(({ id }) => id));
    return due;
  });
}
