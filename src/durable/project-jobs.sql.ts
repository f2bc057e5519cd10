import type { Sql } from '../platform/database/database.js';

/**
 * Locks the jobs of projects against their end until the caller's transaction ends, and tells their holders that there is more
 * to do once it commits.
 */
export async function announceWork(
  sql: Sql,
  given: { lock: number; channel: string; projectIds: readonly number[] },
): Promise<void> {
  await sql.byKey(
    'announce-work',
    `select pg_advisory_xact_lock_shared($1, id), pg_notify($2, id::text)
       from (select id from unnest($3::int[]) as id order by id) as given`,
    [given.lock, given.channel, given.projectIds],
  );
}

/** Those of the projects for which no transaction is about to commit more work; locks them until the caller's transaction ends. */
export async function lockQuietProjects(
  sql: Sql,
  given: { lock: number; projectIds: readonly number[] },
): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    'select id from unnest($2::int[]) as id where pg_try_advisory_xact_lock($1, id)',
    [given.lock, given.projectIds],
  );
  return rows.map(row => row.id);
}
