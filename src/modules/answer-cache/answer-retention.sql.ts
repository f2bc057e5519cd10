import type { Database } from '../../platform/database/database.js';
import { deleteInBatches } from '../../platform/sql/delete-in-batches.js';

/** Maximum number of stored answers of a project. The oldest ones are deleted beyond it. */
export const MAX_ANSWERS = 10_000;

const DELETE_EXPIRED = `
  delete from cached_answer where ctid = any(array(
    select ctid from cached_answer where expires_at <= now() limit $1 for update skip locked))
  returning 1`;

const DELETE_SURPLUS = `
  delete from cached_answer where (project_id, digest) in (
    select project_id, digest
      from (select project_id, digest, row_number() over (partition by project_id order by created_at desc) as place
              from cached_answer
             where project_id in (select project_id from cached_answer group by project_id having count(*) > $2)) ranked
     where place > $2 limit $1)
  returning 1`;

/** Deletes expired answers, and the oldest ones of projects with too many. Safe to repeat and to run concurrently. */
export async function deleteOldAnswers(database: Database, maxAnswers = MAX_ANSWERS): Promise<void> {
  await deleteInBatches(rows => database.query(DELETE_EXPIRED, [rows]));
  await deleteInBatches(rows => database.query(DELETE_SURPLUS, [rows, maxAnswers]));
}
