import type { TestService } from './service.js';
import type { StubUpstream } from './upstreams/stub-upstream.js';

/**
 * Starts runs until one is started by the process that accepts it, without a job, and waits for its model call, which stays
 * unanswered until `release`. A process that has not polled its queue yet, or that still has jobs, queues a run instead.
 */
export async function holdDirectRun(
  { sql }: Pick<TestService, 'sql'>,
  upstream: StubUpstream,
  start: () => Promise<unknown>,
): Promise<{ release(): void }> {
  for (;;) {
    const held = upstream.hold();
    await start();
    await held.arrived;
    const [{ direct }] = (await sql(
      `select count(*)::int as direct from workflow_run r
        where state = 'running' and not exists (select 1 from pgboss.job j where j.id = r.id)`,
    )) as [{ direct: number }];
    if (direct === 1) return held;
    held.release();
  }
}
