import { DIRECT_START_JOB } from '../../../src/durable/queue.js';
import type { TestService } from '../service.js';

/**
 * Makes all active jobs, and all postponed jobs of started runs, due, as if their processes had died: active jobs have no
 * recent heartbeat, and the jobs of started runs (also of waiting ones) are not postponed.
 */
export async function expireJobs(service: Pick<TestService, 'sql'>): Promise<void> {
  await service.sql(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`);
  const { priority } = DIRECT_START_JOB;
  await service.sql(`update pgboss.job set start_after = now() where state = 'created' and priority = ${priority}`);
}
