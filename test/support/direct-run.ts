import { JOBLESS_RUNS } from './jobs/jobless-runs.js';
import type { TestService } from './service.js';
import type { StubUpstream } from './upstreams/stub-upstream.js';

/**
 * Starts runs until one is started by the process that accepts it, without a job, and waits for its model call, which stays
 * unanswered until `release`. It gets a job after a second or more. A process that has not polled its queue yet, or that still has jobs, queues a run instead.
 */
export async function holdDirectRun(
  { sql }: Pick<TestService, 'sql'>,
  upstream: StubUpstream,
  start: () => Promise<unknown>,
): Promise<{ id: string; release(): void }> {
  for (;;) {
    const held = upstream.hold();
    await start();
    await held.arrived;
    const [direct] = await sql(JOBLESS_RUNS);
    if (direct) return { id: direct.id, release: () => held.release() };
    held.release();
  }
}
