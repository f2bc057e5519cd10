import type { TestService } from '../service.js';

/** Takes the jobs of runs from whoever holds them, as if their heartbeats had not come for long. */
export async function lapseJobs(service: Pick<TestService, 'sql'>): Promise<void> {
  await service.sql(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`);
  await service.sql(`update pgboss.job set start_after = now() where state = 'created' and priority = 1`);
}
