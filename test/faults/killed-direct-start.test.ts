import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ADMIN_KEY, testEnvironment } from '../support/config.js';
import { holdDirectRun } from '../support/direct-run.js';
import { eventually } from '../support/eventually.js';
import { startProcess } from '../support/processes/process.js';
import { createWorkflow, echoGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

let upstream: StubUpstream;
let service: TestService;
let environment: Record<string, string>;
beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ role: 'api' });
  environment = { ...testEnvironment(service.database), OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'k' };
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

it('a run whose process dies before it has a job is taken over when its lease has expired', async () => {
  const workflow = await createWorkflow(service, echoGraph('gpt-4o-mini'));
  const starter = await startProcess({ ...environment, ROLE: 'all' });
  const start = () =>
    fetch(`${starter.url}/api/v1/workflows/${workflow}/run/`, {
      method: 'POST',
      headers: { 'X-Api-Key': ADMIN_KEY, 'Content-Type': 'application/json' },
      body: '{"topic":"cats"}',
    });
  const held = await holdDirectRun(service, upstream, start);
  await starter.end('SIGKILL');
  held.release();
  // On a busy machine the process may have lived long enough to create the job.
  await service.sql('delete from pgboss.job where id = $1', [held.id]);

  const successor = await startProcess({ ...environment, ROLE: 'worker' });
  try {
    const seconds = 'extract(epoch from run_finished_at - run_started_at)::float8 as seconds';
    const [run] = await eventually(
      () =>
        service.sql(`select attempts, ${seconds} from workflow_run where id = $1 and state = 'succeeded'`, [held.id]),
      rows => rows.length === 1,
    );
    expect(run?.attempts).toBe(2);
    expect(run?.seconds).toBeGreaterThan(10);
    expect(await service.sql('select id from pgboss.job where id = $1', [held.id])).toEqual([]);
  } finally {
    await successor.end();
  }
});
