import type { Sql } from '../platform/database/database.js';
import type { JobStatements } from './job-statements.js';

/**
 * Returns CTEs that add the jobs of `projects`, a relation with the column project_id. The last CTE is `woken`, and
 * the statement must read it. `job` is the `jobJsonSql` of one project.
 */
export function addProjectJobsSql(given: {
  jobs: JobStatements;
  job: string;
  projects: string;
  channel: string;
  lock: number;
}): string {
  const { jobs, job, projects, channel, lock } = given;
  // Projects are locked in the order of their ids, so that two transactions with the same projects cannot deadlock.
  // The locks are acquired before jobs are looked up, because the INSERT waits for all of its rows.
  return `
    announced as materialized (
      select project_id, pg_advisory_xact_lock_shared(${lock}, project_id), pg_notify('${channel}', project_id::text)
        from (select distinct project_id from ${projects} order by project_id) as given),
    ${jobs.insert('woken', `select coalesce(json_agg(${job}), '[]') from announced`)}`;
}

/** Adds the jobs of projects. `add` is the result of `ProjectJobs.addSql('given')`. */
export async function addForProjects(sql: Sql, add: string, projectIds: readonly number[]): Promise<void> {
  const given = 'given as (select unnest($1::int[]) as project_id)';
  await sql.query(`with ${given}, ${add} select count(*) from woken`, [projectIds]);
}
