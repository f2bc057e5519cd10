import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ADMIN_KEY, testEnvironment } from '../support/config.js';
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

const jobs = () => service.sql(`select id from pgboss.job where name = 'workflow-run'`);

it('a run whose process dies before it has a job is taken over when its lease has expired', async () => {
  const workflow = await createWorkflow(service, echoGraph('gpt-4o-mini'));
  const starter = await startProcess({ ...environment, ROLE: 'all', CRASH_AT: 'accept.after-commit' });
  const answer = await fetch(`${starter.url}/api/v1/workflows/${workflow}/run/`, {
    method: 'POST',
    headers: { 'X-Api-Key': ADMIN_KEY, 'Content-Type': 'application/json' },
    body: '{"topic":"cats"}',
  }).catch(() => undefined);
  expect(answer).toBeUndefined();
  await starter.exited;
  const runs = () =>
    service.sql(
      'select state, attempts, extract(epoch from now() - run_started_at)::float8 as seconds from workflow_run where workflow_id = $1',
      [workflow],
    );
  expect(await runs()).toMatchObject([{ state: 'running', attempts: 1 }]);
  expect(await jobs()).toEqual([]);

  const successor = await startProcess({ ...environment, ROLE: 'worker' });
  try {
    const [run] = await eventually(runs, ([one]) => one?.state === 'succeeded');
    expect(run?.attempts).toBe(2);
    expect(run?.seconds).toBeGreaterThan(10);
    expect(upstream.requests).toHaveLength(1);
    expect(await jobs()).toEqual([]);
  } finally {
    await successor.end();
  }
});
