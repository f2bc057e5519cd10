import { type JobStatements, jobJsonSql } from '../../../durable/job-statements.js';
import { nextTokenSql } from '../../../durable/lease-token.js';
import { DIRECT_START_JOB, HEARTBEAT_SECONDS } from '../../../durable/queue.js';
import { type Database, LEASE_STATEMENT } from '../../../platform/database/database.js';
import { UNFLUSHED } from '../../../platform/sql/unflushed.js';
import { costSql } from '../history/workflow-run.js';

// A running run of an execution service (`external_sequence`) is not claimed. A claim ends what such a service has only
// announced, so that the run can be claimed again if its worker ends. The running cost of the previous claim becomes part of
// `cost_usd`, and the new claim counts from zero. The commit is not flushed: calls follow only after the flushed commit that
// announces them, and a claim that is lost before leaves the run as it was.
const CLAIM = `
  with claimed as (
    update workflow_run r
       set state = 'running', wake_at = null, lease_token = ${nextTokenSql('r.lease_token')}, attempts = r.attempts + 1,
           cost_usd = ${costSql('r')}, running_cost_usd = null, recorded_at = null, external_sequence = null,
           run_started_at = coalesce(r.run_started_at, now()), updated_at = now()
     where r.id = any($1::uuid[]) and (r.state in ('queued', 'waiting') or r.state = 'running' and r.external_sequence is null)
    returning r.*)
  select c.id, c.lease_token as token, c.attempts, c.sequence, c.project_id as "projectId",
         c.revision_id as "revisionId", c.workflow_id as "workflowId", c.user_id as "userId",
         c.parent_run_id as "parentRunId", c.scenario_run_id as "scenarioRunId", c.ancestry, c.signals, c.worked_ms as "workedMs",
         c.market_workflow_id as "marketWorkflowId", c.run_fee as "runFee", c.cost_usd as "costUsd",
         exists (select 1 from workflow_run m where m.id = c.parent_run_id and m.run_finished_at is not null)
           or exists (select 1 from scenario_run s where s.id = c.scenario_run_id and s.finished_at is not null) as "isOrphan",
         c.created_at as "createdAt", c.traceparent, c.environment, p.input, p.sealed_input as "sealedInput", ${UNFLUSHED}
    from claimed c join workflow_run_payload p on p.run_id = c.id and p.run_created_at = c.created_at`;

/**
 * Returns an SQL condition for runs that were started so long ago that the process that executes them must have created their
 * jobs. Without a job they have lost that process.
 */
export function isUnrenewedSql(run: string, seconds = HEARTBEAT_SECONDS): string {
  return `${run}.state = 'running' and ${run}.external_sequence is null and ${run}.run_started_at < now() - interval '${seconds} s'`;
}

/**
 * Returns a statement that creates the jobs of the runs that `runs` selects. It locks their rows, so that a run that ends or is
 * suspended meanwhile does not keep the job.
 */
function insertJobsSql(jobs: JobStatements, runs: string, startAfter: number): string {
  const job = jobJsonSql({
    id: 'id',
    groupId: 'project_id::text',
    priority: String(DIRECT_START_JOB.priority),
    startAfter: String(startAfter),
  });
  return `
  with started as materialized (${runs}),
  ${jobs.insert('jobs', `select coalesce(json_agg(${job}), '[]') from started`)}
  select count(*) as created from jobs`;
}

/** Returns the statement of `createJobs`. */
export function createJobsSql(jobs: JobStatements): string {
  const held = `
    select r.id, r.project_id from workflow_run r
      join unnest($1::uuid[], $2::bigint[]) as held(id, token) on r.id = held.id and r.lease_token = held.token
     where r.state = 'running' order by r.id for share of r`;
  return insertJobsSql(jobs, held, DIRECT_START_JOB.startAfter);
}

/** Creates postponed jobs of runs with these fencing tokens. An existing job remains unchanged. */
export async function createJobs(
  database: Database,
  text: string,
  runs: readonly { id: string; token: number }[],
): Promise<void> {
  await database.query(text, [runs.map(({ id }) => id), runs.map(({ token }) => token)], LEASE_STATEMENT);
}

/** Returns the statement of `restoreJobs`. Also as a probe ($1 is false) it needs the lock of the table that `createJobs` needs. */
export function restoreJobsSql(jobs: JobStatements, queue: string): string {
  const lost = `
    select r.id, r.project_id from workflow_run r
     where $1::boolean and ${isUnrenewedSql('r')} and not exists (select 1 from pgboss.job j where j.name = '${queue}' and j.id = r.id)
     order by r.id for share of r skip locked`;
  return insertJobsSql(jobs, lost, 0);
}

/**
 * Creates due jobs of runs without a job that have lost the process that started them. With `isProbe` it creates none, and fails
 * if the database does not execute the statement.
 */
export async function restoreJobs(database: Database, text: string, isProbe: boolean): Promise<void> {
  await database.byKey('restore-jobs', text, [!isProbe], LEASE_STATEMENT);
}

/** Claims the executable runs among these ids in one round trip. Each gets a new fencing token. */
export function claimRuns<Row>(database: Database, ids: readonly string[]): Promise<Row[]> {
  return database.byKey('claim-runs', CLAIM, [ids], LEASE_STATEMENT);
}
