import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { testEnvironment } from '../../support/config.js';
import { eventually } from '../../support/eventually.js';
import { chain, llm, output, trigger } from '../../support/graphs.js';
import { expireJobs } from '../../support/jobs/expire-jobs.js';
import { faultPoints } from '../../support/processes/fault-points.js';
import { crashWorkerAt } from '../../support/processes/process.js';
import { createDatabase, startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

let upstream: StubUpstream;
let service: TestService;
let project: number;
const openai = () => ({ baseUrl: upstream.url, apiKey: 'k' });

beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ role: 'api', openai: openai() }, await createDatabase());
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Messages' } })).body.id;
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

// The message is recorded as started, its workflow is accepted and executed, and the result is recorded.
const points = [
  ...['scenario-record.after:1', 'accept.before-commit', 'accept.after-commit', 'record.after:1'],
  ...['scenario-record.before:2', 'scenario-record.after:2'],
];

it.each(faultPoints(points))('a worker that dies at %s leaves one run of the workflow of a message', async point => {
  const create = async (path: string, body: object) =>
    (await service.rest('POST', `/api/v1/${path}`, { body: { project, ...body } })).body.id;
  const data = chain(trigger(), llm('Hello', 'gpt-4o-mini'), output());
  const workflow = await create('workflows/', { title: 'W', data });
  const prompt = await create('prompts/', { key: `p ${point}`, role: 'user', content: 'Why?' });
  const parameters = { workflow_id: workflow };
  const message = { key: `m ${point}`, prompts: [prompt], provider: 'workflow', parameters };
  const messages = [await create('messages/', message)];
  const more = { category: 1, run_fee: 0, free_runs_per_user: 0 };
  const scenario = await create('scenarios/', { name: point, messages, ...more });
  const run = (await service.rest('POST', '/api/v1/scenarioruns/run/', { body: { scenario } })).body.id;

  const environment = { ...testEnvironment(service.database), OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'k' };
  await crashWorkerAt(point, environment);
  await expireJobs(service);
  const successor = await startTestService({ role: 'worker', openai: openai() }, service.database);
  const read = async () => (await service.rest('GET', `/api/v1/scenarioruns/${run}/`)).body;
  const ended = await eventually(read, ({ status }) => ['finished', 'error'].includes(status));
  await successor.stop();

  expect(ended).toMatchObject({ status: 'finished', final_result: 'stub answer' });
  expect(upstream.requests).toHaveLength(1);
  const runs = await service.sql('select state from workflow_run where scenario_run_id = $1', [run]);
  expect(runs).toEqual([{ state: 'succeeded' }]);
});
