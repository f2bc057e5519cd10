import type { Sql } from '../../platform/database/database.js';
import { anyInt, queryBuilder } from '../../platform/database/typed-queries.js';
import type { Viewer } from '../accounts/viewer.js';
import { assertAllowed, viewersRole } from '../projects/access.js';
import type { Action } from '../projects/rights.js';
import type { RecognitionChunk } from './recognition-chunk.js';
import type { RecognitionRun } from './recognition-run.js';
import { chunkColumns, type RecognitionTables, recognitionRunColumns } from './recognition-tables.js';

/**
 * Returns a recognition run that the viewer may do `action` with. Every access to a run by id uses this check.
 * @throws NotFoundError when the viewer cannot read it, ForbiddenError when the role does not allow `action`.
 */
export async function locateRun(sql: Sql, viewer: Viewer, id: number, action: Action): Promise<RecognitionRun> {
  const row = await queryBuilder<RecognitionTables>(sql)
    .selectFrom('recognition_run')
    .select(recognitionRunColumns)
    .select(viewersRole(viewer, 'recognition_run.project_id').as('role'))
    .where('id', '=', id)
    .executeTakeFirst();
  assertAllowed(row?.role ?? null, action);
  const { role: _, ...run } = row!;
  return run;
}

/** The recognition runs with these ids, in any order. */
export function readRecognitionRuns(sql: Sql, ids: readonly number[]): Promise<RecognitionRun[]> {
  return queryBuilder<RecognitionTables>(sql)
    .selectFrom('recognition_run')
    .select(recognitionRunColumns)
    .where('id', '=', anyInt(ids))
    .execute();
}

/** Returns a chunk that the viewer may do `action` with. Throws like `locateRun`. */
export async function locateChunk(sql: Sql, viewer: Viewer, id: number, action: Action): Promise<RecognitionChunk> {
  const row = await queryBuilder<RecognitionTables>(sql)
    .selectFrom('recognition_chunk')
    .innerJoin('recognition_run', 'recognition_run.id', 'recognition_chunk.run_id')
    .select(chunkColumns)
    .select(viewersRole(viewer, 'recognition_run.project_id').as('role'))
    .where('recognition_chunk.id', '=', id)
    .executeTakeFirst();
  assertAllowed(row?.role ?? null, action);
  const { role: _, ...chunk } = row!;
  return chunk;
}
