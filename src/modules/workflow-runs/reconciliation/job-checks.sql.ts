import { isUnrenewedSql } from '../execution/claim-runs.sql.js';

/** After this time, the workers have restored the job of a started run without one, if they can. */
const RESTORED_AFTER_SECONDS = 60;

interface RunTable {
  table: string;
  noun: string;
  queue: string;
  /** SQL for the job id of the run `r`. */
  job: string;
  /** SQL condition for runs that must have a job. */
  isUnfinished: string;
}

/** Checks that every run that `isUnfinished` has a job. */
function jobCheck({ table, noun, queue, job, isUnfinished }: RunTable) {
  const isMissing = `${isUnfinished} and not exists (
         select 1 from pgboss.job j where j.name = '${queue}' and j.id = ${job} and j.state < 'completed')`;
  return {
    subject: (id: string) => `jobs of ${noun} ${id}`,
    find: `select r.id, 0 as "is", 1 as should_be from ${table} r where ${isMissing} order by r.id`,
    fix: {
      lock: `select id from ${table} where id::text = any($1) order by id for no key update`,
      write: `
        insert into pgboss.job (id, name, group_id, heartbeat_seconds, retry_limit, retry_delay, expire_seconds, policy)
        select ${job}, q.name, r.project_id::text, q.heartbeat_seconds, q.retry_limit, q.retry_delay, q.expire_seconds, q.policy
          from ${table} r join pgboss.queue q on q.name = '${queue}'
         where r.id::text = any($1) and ${isMissing}
        on conflict do nothing`,
    },
  };
}

const HAS_NO_WEBHOOK_JOB = `not exists (
  select 1 from pgboss.job j
   where j.name in ('webhook-project', 'webhook-delivery') and j.state < 'completed' and (j.data->>'projectId')::int = p.id)`;

/** Checks that every project with unfinished deliveries has a job. */
const WEBHOOK_JOBS = {
  subject: (id: string) => `jobs of the webhooks of project ${id}`,
  find: `
    select p.id, 0 as "is", 1 as should_be from project p
     where exists (select 1 from webhook_delivery d where d.project_id = p.id and d.state = 'pending') and ${HAS_NO_WEBHOOK_JOB}
     order by p.id`,
  fix: {
    lock: 'select id from project where id::text = any($1) order by id for no key update',
    // Inserts jobs of WEBHOOK_RETRY_QUEUE. When one is due, it queues its project.
    write: `
      insert into pgboss.job (name, data, start_after, retry_limit, retry_delay, expire_seconds, policy)
      select q.name, json_build_object('projectId', p.id), greatest(d.next_at, now()), q.retry_limit, q.retry_delay, q.expire_seconds, q.policy
        from project p join webhook_delivery d on d.project_id = p.id join pgboss.queue q on q.name = 'webhook-delivery'
       where p.id::text = any($1) and d.state = 'pending' and ${HAS_NO_WEBHOOK_JOB}`,
  },
};

/**
 * Finds unfinished runs and deliveries that no process would fetch. Runs of an execution service, and runs that a process has just
 * started, have no job.
 */
export const JOB_CHECKS = [
  WEBHOOK_JOBS,
  jobCheck({
    ...{ table: 'workflow_run', noun: 'run', queue: 'workflow-run', job: 'r.id' },
    isUnfinished: `(r.state = 'queued' or ${isUnrenewedSql('r', RESTORED_AFTER_SECONDS)} or r.state = 'waiting' and r.wake_at is not null) and r.external_sequence is null`,
  }),
  jobCheck({
    ...{ table: 'scenario_run', noun: 'scenario run', queue: 'scenario-run', job: 'r.billing_id' },
    isUnfinished: `r.status in ('created', 'in_progress')`,
  }),
  jobCheck({
    ...{ table: 'keyword_run', noun: 'keyword run', queue: 'keyword-run', job: 'r.billing_id' },
    isUnfinished: `r.status in ('created', 'in_progress')`,
  }),
  jobCheck({
    ...{ table: 'recognition_run', noun: 'recognition run', queue: 'recognition-run' },
    // As `jobIdOf` of recognition runs.
    job: `('00000000-0000-0000-0000-' || lpad(to_hex(r.id), 12, '0'))::uuid`,
    isUnfinished: `r.state in ('created', 'in_progress')`,
  }),
  jobCheck({
    ...{ table: 'rehearsal', noun: 'rehearsal', queue: 'rehearsal', job: 'r.id' },
    isUnfinished: `r.state in ('queued', 'running')`,
  }),
];
