import { randomUUID } from 'node:crypto';
import type { Database } from '../../../src/platform/database/database.js';

/** Inserts a queued run of this revision with an empty input, without its job. Returns its id. */
export async function insertQueuedRun(database: Database, projectId: number, revisionId: number): Promise<string> {
  const id = randomUUID();
  await database.query(
    `with run as (
       insert into workflow_run (id, project_id, revision_id, state, queued_at) values ($1, $2, $3, 'queued', now())
       returning id, created_at)
     insert into workflow_run_payload (run_id, run_created_at, input) select id, created_at, '{}' from run`,
    [id, projectId, revisionId],
  );
  return id;
}
