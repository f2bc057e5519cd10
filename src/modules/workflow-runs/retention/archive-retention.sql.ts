import type { Sql } from '../../../platform/database/database.js';

/** Runs, or revisions, that one statement deletes. */
export const BATCH = 500;

/**
 * Archived workflows that can go. What the terms of the marketplace hang on stays: a workflow that somebody copied, and
 * a copy. So does one with a run under way.
 */
const DUE = `
  select w.id from workflow w
   where w.archived_at < now() - make_interval(days => $1) and w.id > $2
     and w.copied_from_id is null
     and not exists (select from workflow c where c.copied_from_id = w.id)
     and not exists (select from market_terms t where t.workflow_id = w.id)
     and not exists (select from marketplace_use u where u.workflow_id = w.id or u.copy_id = w.id)
     and not exists (select from workflow_run r where r.workflow_id = w.id and r.run_finished_at is null and r.state <> 'draft')
   order by w.id limit 1`;

const DELETE_RUNS = `
  with due as (select id from workflow_run where workflow_id = $1 and (run_finished_at is not null or state = 'draft')
              limit ${BATCH} for update skip locked),
  gone as (delete from workflow_run where id in (select id from due) returning 1)
  select count(*)::int as gone from gone`;

/** Whoever accepts a run of a workflow locks its row, or a revision of it, against this. */
const DELETE_WORKFLOW = `
  delete from workflow w
   where w.id = $1 and w.archived_at is not null and not exists (select from workflow_run r where r.workflow_id = w.id)`;

const LOCK_REVISIONS = `
  select v.id from workflow_revision v
   where v.created_at < now() - make_interval(days => $1)
     and not exists (select from workflow w where w.revision_id = v.id)
     and not exists (select from workflow_run r where r.revision_id = v.id)
   limit ${BATCH} for update of v skip locked`;

/** A second look: under the lock no new run can name a revision, and one that was accepted just before is seen. */
const DELETE_REVISIONS = `
  delete from workflow_revision v
   where v.id = any($1::int[])
     and not exists (select from workflow w where w.revision_id = v.id)
     and not exists (select from workflow_run r where r.revision_id = v.id)`;

/** The next archived workflow behind `last` that can go. */
export async function dueWorkflow(sql: Sql, after: { days: number; last: number }): Promise<number | undefined> {
  const [row] = await sql.query<{ id: number }>(DUE, [after.days, after.last]);
  return row?.id;
}

/** Deletes some runs of a workflow; answers how many. */
export async function deleteRuns(sql: Sql, workflowId: number): Promise<number> {
  const [row] = await sql.query<{ gone: number }>(DELETE_RUNS, [workflowId]);
  return row?.gone ?? 0;
}

export async function deleteWorkflow(sql: Sql, id: number): Promise<void> {
  await sql.query(DELETE_WORKFLOW, [id]);
}

/** Deletes some revisions that neither a workflow nor a run has named for so many days; answers how many it found. */
export async function deleteRevisions(sql: Sql, days: number): Promise<number> {
  const ids = (await sql.query<{ id: number }>(LOCK_REVISIONS, [days])).map(({ id }) => id);
  if (ids.length > 0) await sql.query(DELETE_REVISIONS, [ids]);
  return ids.length;
}
