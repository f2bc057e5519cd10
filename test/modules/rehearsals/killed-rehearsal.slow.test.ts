import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testEnvironment } from '../../support/config.js';
import { chain, llm, output, trigger } from '../../support/graphs.js';
import { expireJobs } from '../../support/jobs/expire-jobs.js';
import { crashWorkerAt } from '../../support/processes/process.js';
import { createDatabase, startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';
import { rehearsalSample } from './rehearsal-sample.js';

const MODEL = 'gpt-4o-mini';
const START = `mutation ($id: Int!) { workflowPublishCheck(workflowId: $id, budgetUsd: "1") { rehearsal { id } errors { message } } }`;

/** Kills a worker at a named point of a rehearsal that makes two calls; a second worker continues it. */
describe('a worker that is killed during a rehearsal', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let environment: Record<string, string>;
  let openai: { baseUrl: string; apiKey: string };

  beforeAll(async () => {
    upstream = await startStubUpstream();
    openai = { baseUrl: upstream.url, apiKey: 'k' };
    service = await startTestService({ role: 'api', openai }, await createDatabase());
    environment = { ...testEnvironment(service.database), OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'k' };
  });
  afterAll(async () => {
    await service?.stop();
    await upstream?.stop();
  });

  const history = () =>
    service.sql(`
      select (select json_agg(r order by id) from workflow_run r) as runs,
             (select json_agg(j order by run_id, first_sequence) from workflow_run_journal j) as journal,
             (select json_agg(f order by workflow_id) from workflow_figures f) as figures,
             (select json_agg(b order by id) from billing_transaction b where operation <> 'rehearsal') as ledger`);

  it.each([
    ['rehearsal.claimed', 2],
    ['reserve.after', 2],
    // The answer was not recorded yet, so this call is repeated with the same idempotency key.
    ['paid.before-record', 3],
    ['rehearsal.before-record', 3],
    ['rehearsal.recorded', 2],
    ['rehearsal.recorded:2', 2],
    ['rehearsal.before-run-end', 2],
    ['rehearsal.run-ended', 2],
    ['rehearsal.before-end', 2],
    ['rehearsal.after-end', 2],
  ])('resumes, pays nothing twice and leaves real runs as they are (%s)', async (point, calls) => {
    const sample = rehearsalSample(service);
    const project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'P' } })).body.id;
    await service.sql('update project set budget_usd = 1 where id = $1', [project]);
    const [start, first, second] = [trigger(), llm('One', MODEL), llm('Two', MODEL)];
    const workflow = await sample.createWorkflow(project, chain(start, first, second, output()));
    const executing = await startTestService({ role: 'worker', openai }, service.database);
    await sample.runOf(workflow, {});
    await executing.stop();
    const changed = (node: typeof first, message: string) => ({
      ...node,
      data: { ...node.data, messages: [{ role: 'user', message }] },
    });
    await sample.save(workflow, chain(start, changed(first, '1'), changed(second, '2'), output()));
    const before = await history();
    upstream.requests.length = 0;
    upstream.headers.length = 0;
    const { id } = (await service.graphql(START, { id: workflow })).data.workflowPublishCheck.rehearsal;

    await crashWorkerAt(point, environment);
    await expireJobs(service);
    const worker = await startTestService({ role: 'worker', openai }, service.database);
    try {
      expect(await sample.awaitEnd(id)).toMatchObject({ state: 'SUCCEEDED', verdict: 'UNCHANGED', endedCount: 1 });
    } finally {
      await worker.stop();
    }
    expect(upstream.requests).toHaveLength(calls);
    expect(new Set(upstream.headers.map(headers => headers['idempotency-key'])).size).toBe(2);
    const [exact] = await service.sql(
      `select p.reserved_usd::float8 as reserved,
              p.total_spent_usd = (select sum(amount_usd) from billing_transaction where project_id = p.id) as "isTotal",
              (select spent_usd = (select sum(amount_usd) from billing_transaction b where b.project_id = p.id and operation = 'rehearsal')
                 from rehearsal where id = $2) as "isSpent",
              (select count(*)::int from billing_transaction where project_id = p.id and operation = 'rehearsal') as rows,
              (select count(*)::int from budget_reservation where project_id = p.id) as held,
              (select count(*)::int from rehearsal_event) as events
         from project p where p.id = $1`,
      [project, id],
    );
    expect(exact).toEqual({ reserved: 0, isTotal: true, isSpent: true, rows: 2, held: 0, events: 0 });
    expect(await history()).toEqual(before);
  });
});
