import type { Sql } from '../../../platform/database/database.js';

/** Deletes every API key of a user and returns how many there were. Call `untilLeasesLapse` after the commit. */
export async function deleteKeysOf(sql: Sql, userId: number): Promise<number> {
  const [row] = await sql.query<{ deleted: number }>(
    `with gone as (delete from api_key where user_id = $1 returning 1) select count(*)::int as deleted from gone`,
    [userId],
  );
  return row!.deleted;
}
