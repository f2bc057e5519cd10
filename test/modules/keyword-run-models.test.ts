import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { cli } from '../cli/entry.js';
import { testEnvironment } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

/** Cost of a call to the stub at the price of the default model. */
const CALL_USD = '0.00045';

let upstream: StubUpstream;
let service: TestService;
let project: number;

const call = (method: string, path: string, body?: unknown) => service.rest(method, `/api/v1/${path}`, { body });
const start = (body: Record<string, unknown> = {}) =>
  call('POST', 'keywordruns/', { project, topic: 'green tea', ...body });
const awaitEnd = (id: number) =>
  eventually(
    async () => (await call('GET', `keywordruns/${id}/`)).body,
    ({ status }) => status === 'finished' || status === 'error',
  );
const execute = async (body?: Record<string, unknown>) => awaitEnd((await start(body)).body.id);
const ledger = () =>
  service.sql(
    `select b.operation, b.status, b.amount_usd::text as amount, b.reason, p.total_spent_usd::text as total,
            p.reserved_usd::float8 as reserved, r.id as run
       from billing_transaction b join project p on p.id = b.project_id join keyword_run r on r.billing_id = b.run_id
      where p.id = $1 order by b.id`,
    [project],
  );
const setBudget = (limitUsd: string) =>
  service.graphql(
    'mutation ($id: Int!, $usd: Decimal) { projectBudgetSet(projectId: $id, limitUsd: $usd) { project { id } } }',
    {
      id: project,
      usd: limitUsd,
    },
  );

beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});
beforeEach(async () => {
  project = (await call('POST', 'projects/', { name: 'Tea' })).body.id;
  upstream.requests.length = 0;
  upstream.respondWith(() => ({ content: JSON.stringify(Array.from({ length: 12 }, (_, at) => `green tea ${at}`)) }));
});

it('a model proposes the keywords of a topic, and is billed once', async () => {
  await call('POST', `projects/${project}/set-stopwords/`, { stopwords: ['tea 3'] });
  const run = await execute({ do_clusterize: true });
  expect(run).toMatchObject({
    ...{ status: 'finished', keywords_count: 10, error: null },
    cost: { USD: CALL_USD, SR: '0.045' },
  });
  const { items } = (await call('GET', `keywords/?keywordrun=${run.id}&size=50`)).body;
  expect(items.map(({ name }: any) => name)).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9, 10].map(at => `green tea ${at}`));
  expect(run.clusters.flatMap(({ keywords }: any) => keywords)).toHaveLength(10);
  expect(upstream.requests).toHaveLength(1);
  expect(upstream.requests[0].messages.at(-1)).toEqual({ role: 'user', content: 'green tea' });
  expect(await ledger()).toEqual([
    {
      ...{ operation: 'keyword-run', status: 'Success', amount: CALL_USD, reason: '' },
      ...{ total: CALL_USD, reserved: 0, run: run.id },
    },
  ]);
  await call('DELETE', `keywordruns/${run.id}/`);
  const [spent] = await service.sql('select total_spent_usd::text as total from project where id = $1', [project]);
  expect(spent!.total).toBe(CALL_USD);
});

it('an answer without keywords is paid for, and its run ends with the reason', async () => {
  upstream.respondWith(() => ({ content: 'I would rather not.' }));
  const run = await execute();
  expect(run).toMatchObject({ status: 'error', error: 'The model proposed no keywords.', cost: { USD: CALL_USD } });
  expect(await ledger()).toMatchObject([{ status: 'Error', amount: CALL_USD, total: CALL_USD, reserved: 0 }]);
});

it('a spending limit is respected, before the call and with the highest possible cost', async () => {
  await setBudget('0.0001');
  const refused = await execute();
  expect(refused).toMatchObject({
    status: 'error',
    error: expect.stringContaining('spending limit'),
    cost: { USD: '0' },
  });
  expect(upstream.requests).toHaveLength(0);
  await setBudget('1');
  expect((await execute()).status).toBe('finished');
  await setBudget(CALL_USD);
  expect(await start()).toMatchObject({ status: 402 });
  // A page costs nothing.
  expect((await start({ url: 'http://10.0.0.1/' })).status).toBe(201);
  const [row] = await service.sql('select reserved_usd::float8 as reserved from project where id = $1', [project]);
  expect(row!.reserved).toBe(0);
});

it('a run that is deleted during the call costs nothing and keeps no reservation', async () => {
  await setBudget('1');
  const { arrived, gone, release } = upstream.hold();
  const { id } = (await start()).body;
  await arrived;
  await call('DELETE', `keywordruns/${id}/`);
  await gone;
  release();
  const held = () => service.sql('select reserved_usd::float8 as reserved from project where id = $1', [project]);
  await eventually(held, rows => rows[0]!.reserved === 0);
  expect(await service.sql('select 1 from billing_transaction where project_id = $1', [project])).toEqual([]);
});

it('a page calls no model', async () => {
  await execute({ url: 'http://10.0.0.1/' });
  expect(upstream.requests).toHaveLength(0);
});

it('a cost that differs from the ledger is reported and corrected', async () => {
  const run = await execute();
  await service.sql('update keyword_run set cost_usd = 7 where id = $1', [run.id]);
  const { stdout } = await cli(['reconcile', '--fix'], testEnvironment(service.database));
  expect(stdout).toContain(`cost_usd of keyword run ${run.id}: is 7, should be ${CALL_USD}`);
  expect((await call('GET', `keywordruns/${run.id}/`)).body.cost.USD).toBe(CALL_USD);
});
