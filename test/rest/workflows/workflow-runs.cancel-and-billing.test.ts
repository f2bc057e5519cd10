import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chain, type GraphNode, node, trigger } from '../../support/graphs.js';
import { createWorkflow, echoGraph, externalCallsGraph, pureGraph } from '../../support/run-graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

let service: TestService;
let upstream: StubUpstream;
beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
});
afterAll(async () => {
  await service.stop();
  await upstream.stop();
});

async function start(workflow: number): Promise<string> {
  const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
  return body.data.id;
}
const cancel = (workflow: number, run: string, key?: string) =>
  service.rest('POST', `/api/v1/workflows/${workflow}/history/${run}/cancel/`, key ? { key } : {});
const poll = async (run: string) =>
  (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${run}`)).body.data;

describe('cancel', () => {
  it('closes the connection to a hanging upstream and ends the run, without waiting for an answer', async () => {
    const workflow = await createWorkflow(service, echoGraph('gpt-4o-mini'));
    const held = upstream.hold();
    const run = await start(workflow);
    await held.arrived;
    const { status, body } = await cancel(workflow, run);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: run, status: 'Cancelled', result: { error: { code: 'cancelled' } } });
    await held.gone;
    held.release();

    expect(await poll(run)).toMatchObject({
      status: 'failed',
      data: { trigger: { status: 'succeed' }, llm: { status: 'failed', error: { code: 'cancelled' } } },
    });
    const ledger = await service.sql(
      'select node_id, status, amount_usd::text from billing_transaction where run_id = $1 order by node_id',
      [run],
    );
    expect(ledger).toEqual([
      { node_id: 'llm', status: 'Error', amount_usd: '0' },
      { node_id: 'trigger', status: 'Success', amount_usd: '0' },
    ]);
  });

  it('charges what was used before', async () => {
    const workflow = await createWorkflow(service, externalCallsGraph('gpt-4o-mini', `${upstream.origin}/hang`));
    const run = await start(workflow);
    await upstream.arrival('/hang');
    await cancel(workflow, run);
    const item = await service.rest('GET', `/api/v1/workflows/${workflow}/history/${run}/`);
    expect(item.body.cost.external_cost_usd.cost).toBeGreaterThan(0);
    const [sums] = await service.sql(
      `select r.cost_usd = (select sum(amount_usd) from billing_transaction b where b.run_id = r.id) as exact from workflow_run r where r.id = $1`,
      [run],
    );
    expect(sums).toEqual({ exact: true });
  });

  it('and polling return an id that is sent in upper case in lower case', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const run = await start(workflow);
    expect((await poll(run.toUpperCase())).id).toBe(run);
    expect((await cancel(workflow, run.toUpperCase())).body.id).toBe(run);
  });

  it('still works by the id of a run whose workflow is deleted, like polling and billing', async () => {
    const workflow = await createWorkflow(service, externalCallsGraph('gpt-4o-mini', `${upstream.origin}/hang`));
    upstream.calls.length = 0;
    const arrival = upstream.arrival('/hang');
    const run = await start(workflow);
    await arrival;
    const deleted = await service.rest('DELETE', `/api/v1/workflows/${workflow}/`);
    expect(deleted.status).toBe(204);

    expect(await poll(run)).toMatchObject({ id: run, status: 'in progress' });
    expect((await service.rest('GET', `/api/v1/billing-history/workflowrun/${run}/`)).status).toBe(200);
    expect((await service.rest('GET', `/api/v1/workflows/${workflow}/history/${run}/`)).status).toBe(404);
    expect((await cancel(workflow, run)).status).toBe(404);
    const { key } = await service.createUser('deleted-workflow-outsider');
    expect((await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${run}`, { key })).status).toBe(400);

    const { data } = await service.graphql(
      'mutation ($id: UUID!) { workflowRunCancel(id: $id) { workflowRun { state workflow { id } } } }',
      { id: run },
    );
    expect(data.workflowRunCancel.workflowRun).toEqual({ state: 'CANCELLED', workflow: null });
    expect(await poll(run)).toMatchObject({ id: run, status: 'failed' });
  });

  it('has no effect a second time, and after the end', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const run = await start(workflow);
    await eventually(
      () => poll(run),
      ({ status }) => status === 'succeed',
    );
    for (let times = 0; times < 2; times++) {
      const { status, body } = await cancel(workflow, run);
      expect([status, body.status]).toEqual([200, 'Succeeded']);
    }
  });

  it('notifies subscribers, and completes', async () => {
    const workflow = await createWorkflow(service, echoGraph('gpt-4o-mini'));
    const held = upstream.hold();
    const run = await start(workflow);
    await held.arrived;
    const watched = service.subscribe(
      'subscription ($id: UUID!) { workflowRunChanged(id: $id) { kind state run { state result } } }',
      { id: run },
    );
    await watched.next();
    await cancel(workflow, run);
    const kinds = [];
    for await (const { data } of watched) kinds.push(data.workflowRunChanged);
    held.release();
    expect(kinds.map(change => change.kind)).toEqual(['NODE_FAILED', 'RUN_CANCELLED']);
    // Each event is resolved anew: the last one has the end that the first ones do not have.
    expect(kinds.at(-1)).toMatchObject({
      state: 'CANCELLED',
      run: { state: 'CANCELLED', result: { error: { code: 'cancelled' } } },
    });
  });

  it('reveals nothing to an outsider', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const { key } = await service.createUser('cancel-outsider');
    expect((await cancel(workflow, await start(workflow), key)).status).toBe(404);
  });
});

describe('the billing history', () => {
  it('has one row per executed node, and its amounts add up to the cost of the run', async () => {
    const workflow = await createWorkflow(service, echoGraph('gpt-4o-mini'));
    const run = await start(workflow);
    await eventually(
      () => poll(run),
      ({ status }) => status === 'succeed',
    );
    const list = await service.rest('GET', `/api/v1/billing-history/workflowrun/${run}/`);
    expect(list.body).toMatchObject({ page: 1, size: 10, total: 3 });
    const rows = list.body.items.map((row: any) => [row.operation, row.description, row.status, row.run_id]).sort();
    expect(rows).toEqual([
      ['basic-node', 'llm', 'Success', run],
      ['output-node', 'out', 'Success', run],
      ['trigger-node', 'trigger', 'Success', run],
    ]);
    const paid = list.body.items.find((row: any) => row.operation === 'basic-node');
    const item = await service.rest('GET', `/api/v1/workflows/${workflow}/history/${run}/`);
    // 1,000 input tokens at 0.15 USD per million, 500 output tokens at 0.60.
    expect(paid.amount).toEqual({ USD: '0.00045', SR: '0.045' });
    expect(item.body.cost).toEqual({ ...paid.amount, external_cost_usd: { cost: 0.00045, commission: 0 } });
  });

  const settings = { model_name: 'gpt-4o-mini' };
  const extractor = node('extractor-node', {
    ...{ text: 'three', settings },
    output_schema: { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] },
  });
  const labels = [{ name: 'good' }, { name: 'bad' }];
  const classifier = node('classifier-node', { text: 'fine', settings, labels });
  const embedding = node('embedding-node', { input: ['a', 'b'], settings: { model_name: 'text-embedding-3-small' } });
  const VECTORS = {
    ...{ object: 'list', model: 'text-embedding-3-small', usage: { prompt_tokens: 1_000, total_tokens: 1_000 } },
    data: [0, 1].map(index => ({ object: 'embedding', index, embedding: [index, 0.5] })),
  };
  const GOOD = '{"label": "good", "confidence": 1}';

  // A chat call has 1,000 input tokens at 0.15 USD per million and 500 output tokens at 0.60, an embedding 1,000 at 0.02.
  it.each<[string, GraphNode, string[], string]>([
    ['an extractor-node', extractor, ['{"total": 3}'], '0.00045'],
    ['an extractor-node with its repair call', extractor, ['no JSON', '{"total": 3}'], '0.0009'],
    ['a classifier-node', classifier, [GOOD], '0.00045'],
    ['a classifier-node with its repair call', classifier, ['{"label": "none"}', GOOD], '0.0009'],
    ['an embedding-node', embedding, [], '0.00002'],
  ])('has one row with the exact cost of %s', async (_, paid, answers, usd) => {
    const texts = [...answers];
    const chats = upstream.requests.length;
    upstream.respondWith(() => ({ content: texts.shift() }));
    upstream.answers.set('/v1/embeddings', VECTORS);
    const workflow = await createWorkflow(service, { ...chain(trigger(), paid) });
    const run = await start(workflow);
    await eventually(
      () => poll(run),
      ({ status }) => status === 'succeed',
    );
    upstream.respondWith(null);
    expect(upstream.requests.length - chats).toBe(answers.length);
    const { body } = await service.rest('GET', `/api/v1/billing-history/workflowrun/${run}/`);
    const rows = body.items.filter((row: any) => row.operation === paid.type);
    expect(rows).toEqual([
      expect.objectContaining({ status: 'Success', amount: expect.objectContaining({ USD: usd }) }),
    ]);
    const [sums] = await service.sql(
      `select trim_scale(cost_usd)::text as cost,
              (select count(*)::int from billing_transaction b where b.run_id = r.id and b.amount_usd > 0) as paid
         from workflow_run r where r.id = $1`,
      [run],
    );
    expect(sums).toEqual({ cost: usd, paid: 1 });
  });

  it.each(['page=0', 'size=0', 'size=101', 'size=x'])('refuses %s', async query => {
    const run = await start(await createWorkflow(service, pureGraph()));
    expect((await service.rest('GET', `/api/v1/billing-history/workflowrun/${run}/?${query}`)).status).toBe(400);
  });

  it('reveals nothing to an outsider', async () => {
    const run = await start(await createWorkflow(service, pureGraph()));
    const { key } = await service.createUser('billing-outsider');
    expect((await service.rest('GET', `/api/v1/billing-history/workflowrun/${run}/`, { key })).status).toBe(404);
  });
});

describe('the API run', () => {
  const toggle = (workflow: number, run: string, body: unknown) =>
    service.rest('POST', `/api/v1/workflows/${workflow}/history/${run}/toggle-api-run/`, { body });

  it('is at most one, also when many are marked at once', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const runs = await Promise.all(Array.from({ length: 8 }, () => start(workflow)));
    const answers = await Promise.all(runs.map(run => toggle(workflow, run, { is_api_run: true })));
    expect(answers.map(answer => answer.status)).toEqual(runs.map(() => 200));
    const { body } = await service.rest('GET', `/api/v1/workflows/${workflow}/history/?size=20`);
    const marked = body.items.filter((item: { is_api_run: boolean }) => item.is_api_run);
    expect(marked).toHaveLength(1);
    expect((await toggle(workflow, marked[0].id, { is_api_run: false })).body.is_api_run).toBe(false);
  });

  it('changes the time of the latest change of the run that loses the mark', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const [first, second] = [await start(workflow), await start(workflow)];
    await eventually(
      () => poll(first),
      ({ status }) => status === 'succeed',
    );
    await toggle(workflow, first, { is_api_run: true });
    await service.sql(`update workflow_run set updated_at = now() - interval '1 day' where id = $1`, [first]);
    await toggle(workflow, second, { is_api_run: true });
    const { body } = await service.rest('GET', `/api/v1/workflows/${workflow}/history/${first}/`);
    expect(body.is_api_run).toBe(false);
    expect(Date.now() - Date.parse(body.updated_at)).toBeLessThan(3_600_000);
  });

  it('needs is_api_run, and a run of this workflow', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const other = await createWorkflow(service, pureGraph());
    const run = await start(workflow);
    expect((await toggle(workflow, run, {})).body).toEqual({ is_api_run: ['This field is required.'] });
    expect((await toggle(workflow, run, { is_api_run: 'maybe' })).status).toBe(400);
    expect((await toggle(other, run, { is_api_run: true })).status).toBe(404);
  });
});
