import type { Sql } from '../platform/database/database.js';

/** Adds the jobs of projects. `add`: `ProjectJobs.addSql('given')`. */
export async function addForProjects(sql: Sql, add: string, projectIds: readonly number[]): Promise<void> {
  const given = 'given as (select unnest($1::int[]) as project_id)';
  await sql.query(`with ${given}, ${add} select count(*) from woken`, [projectIds]);
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
