import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testEnvironment } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { expireJobs } from '../support/jobs/expire-jobs.js';
import { crashWorkerAt } from '../support/processes/process.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

/** Kills a worker at a named point of a keyword run that calls a model; a second worker continues the run. */
describe('a worker that is killed during a keyword run', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let environment: Record<string, string>;
  let openai: { baseUrl: string; apiKey: string };

  beforeAll(async () => {
    upstream = await startStubUpstream();
    upstream.respondWith(() => ({ content: '["green tea", "black tea", "espresso"]' }));
    const database = await createDatabase();
    openai = { baseUrl: upstream.url, apiKey: 'k' };
    service = await startTestService({ role: 'api', openai }, database);
    environment = { ...testEnvironment(database), OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'k' };
  });
  afterAll(async () => {
    await service?.stop();
    await upstream?.stop();
  });

  it.each([
    ['claim.after', 1],
    ['reserve.after', 1],
    // The answer was not recorded yet, so this call may be repeated.
    ['keyword-run-record.before', 2],
    ['keyword-run-record.after', 1],
  ])('loses nothing, leaves no unfinished work and is billed once (%s)', async (point, calls) => {
    upstream.requests.length = 0;
    const project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Tea' } })).body.id;
    await service.sql('update project set budget_usd = 1 where id = $1', [project]);
    const body = { project, topic: 'tea', do_clusterize: true };
    const { id } = (await service.rest('POST', '/api/v1/keywordruns/', { body })).body;
    await crashWorkerAt(point, environment);
    await expireJobs(service);
    const worker = await startTestService({ role: 'worker', openai }, service.database);
    try {
      const run = await eventually(
        async () => (await service.rest('GET', `/api/v1/keywordruns/${id}/`)).body,
        ({ status }) => status !== 'created' && status !== 'in_progress',
      );
      expect(run).toMatchObject({ status: 'finished', keywords_count: 3, cost: { USD: '0.00045' } });
      expect(run.clusters.map(({ keywords }: any) => keywords.length)).toEqual([2, 1]);
    } finally {
      await worker.stop();
    }
    expect(upstream.requests).toHaveLength(calls);
    const [account] = await service.sql(
      `select p.total_spent_usd::float8 as spent, p.reserved_usd::float8 as reserved,
                (select count(*)::int from billing_transaction where project_id = p.id) as rows,
                (select count(*)::int from budget_reservation where project_id = p.id) as held
           from project p where p.id = $1`,
      [project],
    );
    expect(account).toEqual({ spent: 0.00045, reserved: 0, rows: 1, held: 0 });
  });
});
