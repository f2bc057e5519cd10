import type { Sql } from '../../platform/database/database.js';
import type { Viewer } from '../accounts/viewer.js';
import { judge, roleSql } from '../projects/access.js';
import type { Action, ProjectRole } from '../projects/rights.js';
import { CHUNK_COLUMNS, type RecognitionChunk } from './recognition-chunk.js';
import { type RecognitionRun, RUN_COLUMNS } from './recognition-run.js';

/** Finds a recognition run if the viewer may do `action` with it, and throws otherwise. The one check of a run's id. */
export async function locateRun(sql: Sql, viewer: Viewer, id: number, action: Action): Promise<RecognitionRun> {
  const [row] = await sql.query<RecognitionRun & { role: ProjectRole | null }>(
    `select ${RUN_COLUMNS}, ${roleSql('r.project_id', '$2', '$3')} as role from recognition_run r where r.id = $1`,
    [id, viewer.userId, viewer.isAdmin],
  );
  judge(row?.role ?? null, action);
  const { role: _, ...run } = row!;
  return run;
}

/** The same for a chunk. */
export async function locateChunk(sql: Sql, viewer: Viewer, id: number, action: Action): Promise<RecognitionChunk> {
  const [row] = await sql.query<RecognitionChunk & { role: ProjectRole | null }>(
    `select ${CHUNK_COLUMNS}, ${roleSql('r.project_id', '$2', '$3')} as role
       from recognition_chunk c join recognition_run r on r.id = c.run_id where c.id = $1`,
    [id, viewer.userId, viewer.isAdmin],
  );
  judge(row?.role ?? null, action);
  const { role: _, ...chunk } = row!;
  return chunk;
}
