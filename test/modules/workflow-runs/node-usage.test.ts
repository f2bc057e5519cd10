import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { restAsDeclared } from '../../rest/declared-answers.js';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { chain, llm, output, template, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

const NODES =
  'nodes { id: nodeId status content error { code message } usage { promptTokens completionTokens totalTokens costUsd } }';
const USED = { promptTokens: 1_000, completionTokens: 500, totalTokens: 1_500, costUsd: '0.00045' };

let upstream: StubUpstream;
let service: TestService;
let project: number;
beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Usage' } })).body.id;
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

async function start(data: object): Promise<string> {
  const workflow = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'a', data } });
  const { body } = await service.rest('POST', `/api/v1/workflows/${workflow.body.id}/run/`, { body: {} });
  return body.data.id;
}

async function nodesOf(id: string, key = service.key) {
  return service.graphql(`query ($id: UUID!) { workflowRun(id: $id) { ${NODES} } }`, { id }, key);
}

it('the usage of a node is the same in the result, in the history, on the ledger and in the live view', async () => {
  const [begin, asking, unknownPrice, end] = [
    trigger(),
    llm('hello', 'gpt-4o-mini'),
    llm('hello', 'custom-model'),
    output(),
  ];
  const held = upstream.hold();
  const id = await start(chain(begin, asking, unknownPrice, end));
  await held.arrived;
  const underWay = await nodesOf(id);
  expect(underWay.data.workflowRun.nodes).toEqual([
    { id: begin.id, status: 'SUCCEEDED', content: '{}', error: null, usage: null },
    { id: asking.id, status: 'RUNNING', content: null, error: null, usage: null },
  ]);
  held.release();

  const result = await awaitFinish(service, id);
  const used = { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 };
  expect(result.data[asking.id].usage).toEqual({ ...used, cost_usd: '0.00045', finish_reason: 'stop' });
  expect(result.data[unknownPrice.id].usage).toEqual({ ...used, cost_usd: null, finish_reason: 'stop' });
  expect(result.data[end.id]).toEqual({ id: end.id, status: 'succeed', result: { content: 'stub answer' } });

  const unpriced = { ...USED, costUsd: null };
  const read = await nodesOf(id);
  expect(read.data.workflowRun.nodes.map((node: any) => [node.id, node.usage])).toEqual([
    [begin.id, null],
    [asking.id, USED],
    [unknownPrice.id, unpriced],
    [end.id, null],
  ]);
  const ledger = await service.graphql(
    `query ($id: UUID!) { billingTransactions(runId: $id) { items { nodeId usage { promptTokens completionTokens totalTokens costUsd } } } }`,
    { id },
  );
  const byNode = new Map(ledger.data.billingTransactions.items.map((row: any) => [row.nodeId, row.usage]));
  expect([byNode.get(asking.id), byNode.get(unknownPrice.id), byNode.get(end.id)]).toEqual([USED, unpriced, null]);

  const changes = async (after: number | null) => {
    const seen = [];
    const query = `subscription ($id: UUID!, $after: Int) { workflowRunChanged(id: $id, afterSequence: $after) {
      sequence kind node { id: nodeId usage { promptTokens completionTokens totalTokens costUsd } } ${NODES} } }`;
    for await (const { data } of service.subscribe(query, { id, after })) seen.push(data.workflowRunChanged);
    return seen;
  };
  const [snapshot] = await changes(null);
  expect(snapshot.nodes.find((node: any) => node.id === asking.id).usage).toEqual(USED);
  const all = await changes(0);
  const answered = all.find(change => change.kind === 'NODE_SUCCEEDED' && change.node.id === asking.id);
  expect(answered.node.usage).toEqual(USED);
  expect(await changes(answered.sequence - 1)).toEqual(all.slice(answered.sequence - 1));
});

it('a list of runs has their nodes, but none of a draft or of an expired result', async () => {
  const data = chain(trigger(), template('x'));
  const id = await start(data);
  await awaitFinish(service, id);
  const [row] = await service.sql('select workflow_id from workflow_run where id = $1', [id]);
  const draft =
    'mutation ($id: Int!) { workflowRunStart(workflowId: $id, draft: true) { receipt { data { id: runId } } } }';
  await service.graphql(draft, { id: row?.workflow_id });
  const list = async () => {
    const query = `query ($id: Int!) { workflowRuns(workflowId: $id) { items { state ${NODES} } } }`;
    const { items } = (await service.graphql(query, { id: row?.workflow_id })).data.workflowRuns;
    return items.map((run: any) => [run.state, run.nodes.map((node: any) => node.content)]);
  };
  expect(await list()).toEqual([
    ['DRAFT', []],
    ['SUCCEEDED', ['{}', 'x']],
  ]);
  await service.sql(`update workflow_run set run_finished_at = now() - interval '31 days' where id = $1`, [id]);
  expect(await list()).toEqual([
    ['DRAFT', []],
    ['SUCCEEDED', []],
  ]);
});

it('a refused run has the nodes that caused the refusal', async () => {
  const broken = llm('hello', 'gpt-4o-mini', { messages: [] });
  const id = await start(chain(trigger(), broken));
  expect((await nodesOf(id)).data.workflowRun.nodes).toEqual([
    {
      id: broken.id,
      status: 'FAILED',
      content: null,
      error: { code: 'invalid_settings', message: expect.stringMatching(/^messages: ./) },
      usage: null,
    },
  ]);
});

it('the nodes of a run are hidden from other users', async () => {
  const id = await start(chain(trigger(), output()));
  const { key } = await service.createUser('eve');
  expect((await nodesOf(id, key)).errors?.[0]?.extensions).toEqual({ code: 'NOT_FOUND' });
});

it('the usage of a node keeps its figures where one equals a secret', async () => {
  const field = { id: 'key', title: 'Key', type: 'text', is_secret: true, default_value: '0.00045' };
  const asking = llm('hello', 'gpt-4o-mini');
  const id = await start(chain(trigger(field), asking));
  expect(await awaitFinish(service, id)).toMatchObject({
    status: 'succeed',
    data: { [asking.id]: { usage: { cost_usd: '0.00045' } } },
  });
  const history = await restAsDeclared(service, 'GET', `/api/v1/billing-history/workflowrun/${id}/`);
  expect(history.body.items.map((row: any) => row.amount.USD).toSorted()).toEqual(['0', '0.00045']);
});
