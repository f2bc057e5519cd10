import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chain, edge, field, graph, http, llm, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

const MODEL = 'gpt-4o-mini';
const FORK = `mutation ($id: UUID!, $node: String, $input: JSON, $revision: WorkflowRunRevision, $number: Int) {
  workflowRunFork(id: $id, nodeId: $node, input: $input, revision: $revision, revisionNumber: $number) {
    receipt { status data { id: runId } } errors { message path } } }`;
const RESTART = `mutation ($workflow: Int!, $id: UUID!, $input: JSON, $number: Int) {
  workflowRunRestart(workflowId: $workflow, id: $id, input: $input, revisionNumber: $number) {
    receipt { status data { id: runId } } errors { message path } } }`;
const EFFECTS = `query ($id: UUID!, $action: WorkflowRunAction!, $node: String, $input: JSON, $revision: WorkflowRunRevision, $number: Int, $reuse: Boolean! = false) {
  workflowRunEffects(id: $id, action: $action, nodeId: $node, input: $input, revision: $revision, revisionNumber: $number, reuseResults: $reuse) {
    expectedCost { usd } unknownCostCount
    nodes { nodeId label type madeCount openCount reusedCount repeatedCount newCount isCertain idempotencyKeys expectedCost { usd } } } }`;

interface Effect {
  nodeId: string;
  madeCount: number;
  openCount: number;
  reusedCount: number;
  repeatedCount: number;
  newCount: number;
  isCertain: boolean;
  idempotencyKeys: string[];
  expectedCost: { usd: string };
}

describe('the repetition of a run in another revision', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let project: number;

  beforeAll(async () => {
    upstream = await startStubUpstream();
    service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
    project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Replays' } })).body.id;
  });
  afterAll(async () => {
    await service.stop();
    await upstream.stop();
  });

  const create = async (data: unknown): Promise<number> =>
    (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'R', data } })).body.id;
  const save = (workflow: number, data: unknown) =>
    service.rest('PATCH', `/api/v1/workflows/${workflow}/`, { body: { data } });
  const awaitEnd = (id: string) =>
    eventually(
      async () => (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`)).body.data,
      ({ status }) => ['succeed', 'failed'].includes(status),
    );
  const counts = () => [upstream.requests.length, upstream.calls.length] as const;

  async function runOf(workflow: number, input: unknown): Promise<string> {
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: input });
    await awaitEnd(body.data.id);
    return body.data.id;
  }

  async function effectsOf(variables: Record<string, unknown>) {
    const { data, errors } = await service.graphql(EFFECTS, variables);
    expect(errors).toBeUndefined();
    const { nodes, ...totals } = data.workflowRunEffects;
    return { ...totals, nodes, of: (id: string) => nodes.find((each: Effect) => each.nodeId === id) as Effect };
  }

  /** Forks a run and returns the end of the new run with the numbers of model and HTTP calls that it made. */
  async function fork(variables: Record<string, unknown>) {
    const before = counts();
    const { data } = await service.graphql(FORK, variables);
    expect(data.workflowRunFork.errors).toEqual([]);
    const { id } = data.workflowRunFork.receipt.data;
    const end = await awaitEnd(id);
    const after = counts();
    return { id, end, made: [after[0] - before[0], after[1] - before[1]] };
  }

  it('executes only the changed node and those that read its result, as its preview says', async () => {
    const start = trigger(field('topic'));
    const first = llm('First about {{ input.topic }}', MODEL);
    const call = http(`${upstream.origin}/call`, { method: 'POST', body: '{{ previous.content }}' });
    const last = llm('Last', MODEL);
    const end = output('{{ previous.content }}');
    const workflow = await create(chain(start, first, call, last, end));
    const run = await runOf(workflow, { topic: 'tea' });

    const unchanged = await effectsOf({ id: run, action: 'FORK', revision: 'SAVED' });
    expect(unchanged).toMatchObject({ expectedCost: { usd: '0' }, unknownCostCount: 0 });
    expect((await fork({ id: run, revision: 'SAVED' })).made).toEqual([0, 0]);

    await save(
      workflow,
      chain(start, first, { ...call, data: { ...call.data, headers: { 'X-New': '1' } } }, last, end),
    );
    const effects = await effectsOf({ id: run, action: 'FORK', revision: 'SAVED' });
    expect([first, call, last].map(({ id }) => effects.of(id))).toMatchObject([
      { reusedCount: 1, repeatedCount: 0 },
      { reusedCount: 0, repeatedCount: 1, madeCount: 1, isCertain: true, idempotencyKeys: [`${run}:${call.id}`] },
      { reusedCount: 1, repeatedCount: 0 },
    ]);
    const forked = await fork({ id: run, revision: 'SAVED' });
    expect(forked).toMatchObject({ made: [0, 1], end: { status: 'succeed' } });
    expect([first, call, last].map(({ id }) => forked.end.data[id].reused ?? false)).toEqual([true, false, true]);
  });

  it('continues behind a failed node after its correction', async () => {
    const [start, before, broken, after] = [
      trigger(),
      llm('Before', MODEL),
      http('http://127.0.0.1:1/refused'),
      llm('After {{ previous.content }}', MODEL),
    ];
    const workflow = await create(chain(start, before, broken, after, output()));
    const run = await runOf(workflow, {});
    await save(
      workflow,
      chain(start, before, { ...broken, data: { ...broken.data, url: `${upstream.origin}/works` } }, after, output()),
    );
    const effects = await effectsOf({ id: run, action: 'FORK', revision: 'SAVED' });
    expect([before, broken, after].map(({ id }) => effects.of(id))).toMatchObject([
      { reusedCount: 1 },
      { madeCount: 1, repeatedCount: 1, isCertain: true },
      { madeCount: 0, newCount: 1, isCertain: true },
    ]);
    expect(effects.unknownCostCount).toBe(1);
    expect(await fork({ id: run, revision: 'SAVED' })).toMatchObject({ made: [1, 1], end: { status: 'succeed' } });
    const restarted = await service.rest('POST', `/api/v1/workflows/${workflow}/history/${run}/restart/`, {
      body: { revision: 'saved', reuse_results: true },
    });
    expect((await awaitEnd(restarted.body.data.id)).data[before.id].reused).toBe(true);
  });

  it('repeats only the changed items of a loop', async () => {
    const item = trigger(field('item'));
    const call = http(`${upstream.origin}/item`, { params: { item: '{{ input.item }}' } });
    const body = chain(item, call, output('{{ previous.content }}'));
    const loop = node('loop-node', { items: '{{ input.items }}', body: { ...body, start_node: item.id } });
    const start = trigger(field('items', { type: 'list' }));
    const workflow = await create(chain(start, loop, output()));
    const run = await runOf(workflow, { items: ['a', 'b', 'c'] });
    const request = { id: run, input: { items: ['a', 'x', 'c'] } };
    const effects = await effectsOf({ ...request, action: 'FORK' });
    expect(effects.of(call.id)).toMatchObject({ madeCount: 3, reusedCount: 2, repeatedCount: 1 });
    const forked = await fork(request);
    expect(forked).toMatchObject({ made: [0, 1], end: { status: 'succeed' } });
    expect(upstream.calls.at(-1)?.path).toContain('item=x');
  });

  it('expects the cost that the ledger has for the repeated calls', async () => {
    const [start, first, second] = [trigger(field('topic')), llm('One', MODEL), llm('Two {{ input.topic }}', MODEL)];
    const workflow = await create(chain(start, first, second, output()));
    const run = await runOf(workflow, { topic: 'tea' });
    const ledger = Object.fromEntries(
      (
        await service.sql('select node_id, amount_usd::text as amount from billing_transaction where run_id = $1', [
          run,
        ])
      ).map(row => [row.node_id, row.amount]),
    );
    const effects = await effectsOf({ id: run, action: 'FORK', input: { topic: 'milk' } });
    expect(Number(effects.expectedCost.usd)).toBe(Number(ledger[second.id]));
    expect(Number(ledger[second.id])).toBeGreaterThan(0);
    const all = await effectsOf({ id: run, action: 'RESTART' });
    expect(Number(all.expectedCost.usd)).toBeCloseTo(Number(ledger[first.id]) + Number(ledger[second.id]), 12);
    const forked = await fork({ id: run, input: { topic: 'milk' } });
    const [row] = await service.sql('select cost_usd::text as cost from workflow_run where id = $1', [forked.id]);
    expect(Number(row?.cost)).toBe(Number(effects.expectedCost.usd));
  });

  it('does not reuse what depends on a decision that is made again', async () => {
    const start = trigger();
    const ask = llm('Decide', MODEL);
    const choose = node('if-else-node', {
      condition: { left: '{{ previous.content }}', operator: 'contains', right: 'stub' },
    });
    const [yes, no] = [http(`${upstream.origin}/yes`), http(`${upstream.origin}/no`)];
    const build = (question: string) =>
      graph(
        [start, { ...ask, data: { ...ask.data, messages: [{ role: 'user', message: question }] } }, choose, yes, no],
        [edge(start, ask), edge(ask, choose), edge(choose, yes, 'condition-true'), edge(choose, no, 'condition-false')],
      );
    const workflow = await create(build('Decide'));
    const run = await runOf(workflow, {});
    await save(workflow, build('Decide again'));
    const effects = await effectsOf({ id: run, action: 'FORK', revision: 'SAVED' });
    expect([ask, yes, no].map(({ id }) => effects.of(id))).toMatchObject([
      { repeatedCount: 1, isCertain: true },
      { repeatedCount: 1, isCertain: false },
      { newCount: 1, isCertain: false },
    ]);
    expect((await fork({ id: run, revision: 'SAVED' })).made).toEqual([1, 1]);
  });

  it('compares requests by stored hashes, which contain no secret', async () => {
    const start = trigger(field('token', { is_secret: true }));
    const call = http(`${upstream.origin}/secret`, { headers: { 'X-Token': '{{ input.token }}' } });
    const ask = llm('Summarize the refund policy for {{ previous.content }}', MODEL);
    const workflow = await create(chain(start, call, ask, output()));
    const run = await runOf(workflow, { token: 'a secret of many characters' });
    const [row] = await service.sql(
      'select json_agg(events)::text as text from workflow_run_journal where run_id = $1',
      [run],
    );
    const text: string = row?.text;
    const hashes = [...text.matchAll(/"request" ?: ?"([^"]+)",?/g)];
    expect(hashes).toHaveLength(2);
    for (const [, hash] of hashes) expect(hash).toMatch(/^[\w-]{22}$/);
    expect(text).not.toContain('a secret of many');
    const unchanged = await fork({ id: run, revision: 'PUBLISHED' });
    expect(unchanged.made).toEqual([0, 0]);
    const changed = await fork({ id: run, input: { token: 'another secret of many characters' } });
    expect(changed.made).toEqual([1, 1]);
  });

  it('takes no secret of the run to another host, and shows none that the revision does not hide', async () => {
    const secret = 'a secret of the first run';
    const start = (isSecret: boolean) => trigger(field('token', { is_secret: isSecret }), field('topic'));
    const headers = { 'X-Token': '{{ input.token }}' };
    const elsewhere = upstream.origin.replace('127.0.0.1', 'localhost');
    const workflow = await create(chain(start(true), http(`${upstream.origin}/first`, { headers }), output()));
    const run = await runOf(workflow, { token: secret, topic: 'tea' });
    await save(workflow, chain(start(true), http(`${elsewhere}/other`, { headers }), output()));
    await save(workflow, chain(start(false), http(`${upstream.origin}/third`, { headers }), output()));

    const masked = { token: '********', topic: 'tea' };
    for (const input of [masked, undefined]) {
      const refused = await service.graphql(FORK, { id: run, number: 2, ...(input ? { input } : {}) });
      expect(refused.data.workflowRunFork.errors).toMatchObject([
        { path: ['input'], message: expect.stringContaining(`would send it to ${new URL(elsewhere).host}`) },
      ]);
    }
    const restarted = await service.graphql(RESTART, { workflow, id: run, number: 2, input: masked });
    expect(restarted.data.workflowRunRestart.errors).toMatchObject([{ path: ['input'] }]);
    expect(upstream.calls.filter(({ path }) => path === '/other')).toEqual([]);

    const entered = await service.graphql(FORK, { id: run, number: 2, input: { ...masked, token: secret } });
    expect(entered.data.workflowRunFork.receipt.status).toBe(201);
    const { data } = await service.graphql(RESTART, { workflow, id: run, number: 3 });
    const { id } = data.workflowRunRestart.receipt.data;
    await awaitEnd(id);
    expect(upstream.calls.find(({ path }) => path === '/third')?.headers['x-token']).toBe(secret);
    const shown = await service.graphql('query ($id: UUID!) { workflowRun(id: $id) { inputData } }', { id });
    expect(shown.data.workflowRun.inputData).toEqual(masked);
  });

  it('shows which calls a cancellation aborts', async () => {
    const [start, done, ask] = [trigger(), http(`${upstream.origin}/done`), llm('x', MODEL)];
    const waiting = node('approval-node', { title: 'Continue?', message: '' });
    const workflow = await create(chain(start, done, waiting, ask, output()));
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
    const run = body.data.id;
    const effects = await eventually(
      () => effectsOf({ id: run, action: 'CANCEL' }),
      ({ nodes }) => nodes.length === 2 && nodes[1].openCount === 1,
    );
    expect(effects.of(done.id)).toMatchObject({ madeCount: 1, openCount: 0, repeatedCount: 0 });
    expect(effects.of(waiting.id)).toMatchObject({ madeCount: 0, openCount: 1 });
    await service.rest('POST', `/api/v1/workflows/${workflow}/history/${run}/cancel/`);
  });

  it.each([
    ['a revision and a number', { revision: 'SAVED', number: 1 }, 'revisionNumber'],
    ['a number that does not exist', { number: 999 }, 'revisionNumber'],
    ['a node that the graph does not have', { node: randomUUID() }, 'nodeId'],
  ])('refuses %s', async (_title, variables, path) => {
    const workflow = await create(chain(trigger(), output()));
    const run = await runOf(workflow, {});
    const { data } = await service.graphql(FORK, { id: run, ...variables });
    expect(data.workflowRunFork.errors).toMatchObject([{ path: [path] }]);
    const preview = await service.graphql(EFFECTS, { id: run, action: 'FORK', ...variables });
    expect(JSON.stringify(preview.errors)).toContain(path);
  });

  it('is previewed and started over REST', async () => {
    const call = http(`${upstream.origin}/rest`);
    const workflow = await create(chain(trigger(), call, output()));
    const run = await runOf(workflow, {});
    const preview = await service.rest('GET', `/api/v1/runs/${run}/effects/?action=restart`);
    expect(preview.body).toMatchObject({
      nodes: [{ node_id: call.id, type: 'http-node', repeated_count: 1, expected_cost: { USD: '0' } }],
      unknown_cost_count: 0,
    });
    const before = counts();
    const forked = await service.rest('POST', `/api/v1/runs/${run}/fork/`, { body: { revision: 'saved' } });
    expect(forked.body).toMatchObject({ status: 201 });
    await awaitEnd(forked.body.data.id);
    expect(counts()).toEqual(before);
  });
});
