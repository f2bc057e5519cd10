import type { TestService } from '../service.js';

/** The priority of the jobs of started runs. */
const STARTED = 1;

/**
 * Makes all active jobs, and all postponed jobs of started runs, due, as if their processes had died: active jobs have no
 * recent heartbeat, the jobs of started runs (also of waiting ones) are not postponed, and those without a job get one.
 */
export async function expireJobs(service: Pick<TestService, 'sql'>): Promise<void> {
  await service.sql(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`);
  await service.sql(`update pgboss.job set start_after = now() where state = 'created' and priority = ${STARTED}`);
  await service.sql(
    `insert into pgboss.job (id, name, group_id, priority, heartbeat_seconds, retry_limit, expire_seconds, policy)
     select r.id, q.name, r.project_id::text, ${STARTED}, q.heartbeat_seconds, q.retry_limit, q.expire_seconds, q.policy
       from workflow_run r join pgboss.queue q on q.name = 'workflow-run'
      where r.state = 'running' and r.external_sequence is null
     on conflict do nothing`,
  );
}
