import type { Sql } from '../platform/database/database.js';
import type { JobStatements } from './job-statements.js';

/**
 * Returns CTEs that add the jobs of `projects`, a relation with the column project_id. The last CTE is
 * `project_jobs`, and the statement must read it. `job` is the `jobJsonSql` of one project.
 */
export function addProjectJobsSql(parts: {
  jobs: JobStatements;
  job: string;
  projects: string;
  channel: string;
  lock: number;
}): string {
  const { jobs, job, projects, channel, lock } = parts;
  // Projects are locked in the order of their ids, so that two transactions with the same projects cannot deadlock.
  // The locks are acquired before jobs are looked up, because the INSERT waits for all of its rows.
  return `
    notified_projects as materialized (
      select project_id, pg_advisory_xact_lock_shared(${lock}, project_id), pg_notify('${channel}', project_id::text)
        from (select distinct project_id from ${projects} order by project_id) as distinct_projects),
    ${jobs.insert('project_jobs', `select coalesce(json_agg(${job}), '[]') from notified_projects`)}`;
}

/** Adds the jobs of projects. `add` is the result of `ProjectJobs.addSql('added_projects')`. */
export async function addJobsOfProjects(sql: Sql, add: string, projectIds: readonly number[]): Promise<void> {
  const projects = 'added_projects as (select unnest($1::int[]) as project_id)';
  await sql.query(`with ${projects}, ${add} select count(*) from project_jobs`, [projectIds]);
}
