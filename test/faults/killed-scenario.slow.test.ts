import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { partsBy } from '../rest/scenarios/part-makers.js';
import { testEnvironment } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { expireJobs } from '../support/jobs/expire-jobs.js';
import { faultPoints } from '../support/processes/fault-points.js';
import { crashWorkerAt } from '../support/processes/process.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

/** Kills a worker at a named point of a scenario of two messages and a loop; a second worker continues the run. */
describe('a worker that is killed during a scenario run', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let environment: Record<string, string>;
  let openai: { baseUrl: string; apiKey: string };
  let scenario: number;

  beforeAll(async () => {
    upstream = await startStubUpstream();
    const database = await createDatabase();
    openai = { baseUrl: upstream.url, apiKey: 'k' };
    service = await startTestService({ role: 'api', openai }, database);
    environment = { ...testEnvironment(database), OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'k' };
    const parts = partsBy(
      () => service,
      () => service.key,
    );
    const project = await parts.project();
    const parameters = { model_name: 'gpt-4o-mini' };
    const createMessage = async (content: string, more = {}) =>
      parts.message(project, { prompts: [(await parts.prompt(project, { content })).id], parameters, ...more });
    const first = await createMessage('First');
    const loop = await createMessage(`After <message>0,${first.id}</message>`, { is_loop: true, loop_count: 2 });
    scenario = (await parts.scenario(project, { messages: [first.id, loop.id] })).id;
  });
  afterAll(async () => {
    await service.stop();
    await upstream.stop();
  });

  // The run is recorded before and after each of three iterations, and at the end.
  const points = [
    'claim.before',
    'claim.after',
    ...[1, 2, 3, 4, 6, 7].map(nth => `scenario-record.before:${nth}`),
    ...[1, 2, 3, 6, 7].map(nth => `scenario-record.after:${nth}`),
  ];

  it.each(faultPoints(points))('loses nothing, repeats no recorded call and is billed once (%s)', async point => {
    upstream.requests.length = 0;
    const { id } = (await service.rest('POST', '/api/v1/scenarioruns/run/', { body: { scenario } })).body;
    await crashWorkerAt(point, environment);
    await expireJobs(service);
    const worker = await startTestService({ role: 'worker', openai }, service.database);
    try {
      const run = await eventually(
        async () => (await service.rest('GET', `/api/v1/scenarioruns/${id}/`)).body,
        ({ status }) => status !== 'created' && status !== 'in_progress',
      );
      expect(run).toMatchObject({ status: 'finished', final_result: 'stub answer' });
      expect(run.processed_messages.map(({ results }: any) => results.length)).toEqual([1, 2]);
      expect(run.tokens.total).toBe(4_500);
    } finally {
      await worker.stop();
    }
    // A call whose answer was not recorded when the process died may be repeated.
    const isRepeatable = /before:(2|4|6)$/.test(point);
    expect(upstream.requests).toHaveLength(isRepeatable ? 4 : 3);
    const [sums] = await service.sql(
      `select r.cost_usd > 0 and r.cost_usd = (select sum(amount_usd) from billing_transaction b where b.run_id = r.billing_id) as cost,
                (select count(*)::int from billing_transaction b where b.run_id = r.billing_id) as rows,
                p.total_spent_usd = (select sum(amount_usd) from billing_transaction b where b.project_id = p.id) as total
           from scenario_run r join project p on p.id = r.project_id where r.id = $1`,
      [id],
    );
    expect(sums).toEqual({ cost: true, rows: 3, total: true });
  });
});
