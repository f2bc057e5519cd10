import type { TestService } from '../service.js';

/**
 * Makes the jobs of runs in progress due, as if their processes had died: fetched jobs have no recent heartbeat, and the
 * jobs of runs that a process started without fetching them (`DIRECT_START_JOB`) are not postponed.
 */
export async function lapseJobs(service: Pick<TestService, 'sql'>): Promise<void> {
  await service.sql(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`);
  await service.sql(`update pgboss.job set start_after = now() where state = 'created' and priority = 1`);
}
