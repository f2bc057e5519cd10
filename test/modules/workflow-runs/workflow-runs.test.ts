import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { activityTopic } from '../../../src/modules/projects/activity-topic.js';
import { runTopic } from '../../../src/modules/workflow-runs/journal/run-journal.js';
import { createLog } from '../../../src/platform/logging/log.js';
import { Bus } from '../../../src/platform/messaging/bus.js';
import { databaseUrl } from '../../support/config.js';
import { eventually } from '../../support/eventually.js';
import { chain, edge, field, graph, ifElse, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

const RECEIPT = '{ status data { id: runId status data output error { code message } } run { id state } }';
const MISSING = '0b0d4a3e-7f5c-4c59-9d3a-2f6b8f1f4a10';

let service: TestService;
let ann: { email: string; key: string };
let ben: { email: string; key: string };
let project: number;
const ask = (query: string, variables?: Record<string, unknown>, key = ann.key) =>
  service.graphql(query, variables, key);
const refusal = ({ errors }: Awaited<ReturnType<typeof ask>>) => errors?.map(error => error.extensions);
const save = async (data: unknown): Promise<number> =>
  (
    await ask(
      `mutation ($data: JSON!) { workflowCreate(input: { projectId: ${project}, title: "a", data: $data }) { workflow { id } } }`,
      { data },
    )
  ).data.workflowCreate.workflow.id;
const tryStart = (workflowId: number, args: Record<string, unknown> = {}) =>
  ask(
    `mutation ($workflowId: Int!, $input: JSON, $inputText: String, $draft: Boolean) {
      workflowRunStart(workflowId: $workflowId, input: $input, inputText: $inputText, draft: $draft) { receipt ${RECEIPT} } }`,
    { workflowId, draft: false, ...args },
  );
const start = async (workflowId: number, args: Record<string, unknown> = {}) =>
  (await tryStart(workflowId, args)).data.workflowRunStart.receipt;
const restart = (workflowId: number, id: string, args = '') =>
  ask(`mutation { workflowRunRestart(workflowId: ${workflowId}, id: "${id}"${args}) { receipt ${RECEIPT} } }`);
const release = (id: string, key = ann.key) =>
  ask(`mutation { workflowRunRelease(id: "${id}") { receipt ${RECEIPT} } }`, {}, key);
const result = async (id: string) =>
  (
    await ask(
      `{ workflowRunResult(id: "${id}") { status data { id: runId status data output error { code message } } } }`,
    )
  ).data.workflowRunResult;
const outputOf = async (id: string) => {
  const ended = await eventually(
    () => result(id),
    ({ data }) => data.status === 'SUCCEEDED' || data.status === 'FAILED',
  );
  return ended.data.output;
};
const topicGraph = () => chain(trigger(field('topic')), output('{{ input.topic | default: "nothing" }}'));

beforeAll(async () => {
  service = await startTestService();
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
  project = (await ask('mutation { projectCreate(input: { name: "Home" }) { project { id } } }')).data.projectCreate
    .project.id;
});
afterAll(() => service?.stop());

describe('workflowRunStart', () => {
  it('returns the receipt with the run’s record', async () => {
    const workflow = await save(topicGraph());
    const receipt = await start(workflow, { input: { topic: 'cats' } });
    expect(receipt).toEqual({
      status: 201,
      data: { id: expect.any(String), status: 'QUEUED', data: null, output: null, error: null },
      run: {
        id: receipt.data.id,
        state: expect.stringMatching(/QUEUED|RUNNING|SUCCEEDED/),
      },
    });
    expect(await outputOf(receipt.data.id)).toBe('cats');
  });

  it('accepts input as an object or as text; null text is not an input', async () => {
    const workflow = await save(topicGraph());
    const outputs: string[] = [];
    for (const args of [
      { input: { topic: 'a' } },
      { inputText: 'b' },
      { inputText: '{"topic":"c"}' },
      { input: { topic: 'd' }, inputText: null },
      {},
    ])
      outputs.push(await outputOf((await start(workflow, args)).data.id));
    expect(outputs).toEqual(['a', 'b', 'c', 'd', 'nothing']);
  });

  it('refuses input that is not an object inside the receipt', async () => {
    const workflow = await save(topicGraph());
    for (const input of [null, [], 'text', 7])
      expect(await start(workflow, { input })).toMatchObject({
        status: 400,
        data: { status: 'FAILED', error: { code: 'invalid_input' } },
        run: { state: 'FAILED' },
      });
  });

  it('refuses a node that fails validation inside the receipt', async () => {
    const condition = ifElse('1', 'like', '2');
    const receipt = await start(await save(chain(trigger(), condition)));
    expect(receipt).toMatchObject({ status: 422, run: { state: 'FAILED' } });
    expect(Object.keys(receipt.data.data)).toEqual([condition.id]);
    expect((await result(receipt.data.id)).data).toEqual(receipt.data);
  });
});

it('a run that a worker returned to the queue still shows the results of its nodes', async () => {
  const begin = trigger(field('topic'));
  const workflow = await save(chain(begin, node('delay-node', { seconds: 3600 }), output()));
  const { id } = (await start(workflow, { input: { topic: 'cats' } })).data;
  await eventually(
    () => result(id),
    ({ data }) => data.status === 'WAITING',
  );
  await service.sql(`update workflow_run set state = 'queued', queued_at = now() where id = $1`, [id]);
  expect((await result(id)).data).toMatchObject({ status: 'QUEUED', data: { [begin.id]: { status: 'succeed' } } });
});

describe('a draft', () => {
  it('is recorded, polled as not found, and runs once it is released', async () => {
    const workflow = await save(topicGraph());
    const draft = await start(workflow, { input: { topic: 'later' }, draft: true });
    expect(draft).toMatchObject({
      status: 201,
      data: { status: 'DRAFT' },
      run: { state: 'DRAFT' },
    });
    const { id } = draft.data;
    expect(await result(id)).toEqual({
      status: 200,
      data: { id, status: 'DRAFT', data: null, output: null, error: null },
    });
    const polled = await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${id}`, { key: ann.key });
    expect(polled.body).toEqual({ status: 200, data: { id, status: 'not found', data: null, output: null } });
    expect((await release(id)).data.workflowRunRelease.receipt).toMatchObject({
      status: 201,
      data: { id, status: 'QUEUED' },
    });
    expect(await outputOf(id)).toBe('later');
    expect(refusal(await release(id))).toEqual([{ code: 'CONFLICT' }]);
  });

  it('keeps the graph as it was when the draft was recorded', async () => {
    const workflow = await save(topicGraph());
    const { id } = (await start(workflow, { input: { topic: 'then' }, draft: true })).data;
    await ask(
      `mutation ($data: JSON!) { workflowUpdate(id: ${workflow}, input: { data: $data }) { workflow { id } } }`,
      {
        data: chain(trigger(), output('now')),
      },
    );
    await release(id);
    expect(await outputOf(id)).toBe('then');
  });

  it('cannot be released when its workflow is archived, nor can the workflow’s runs be repeated', async () => {
    const workflow = await save(topicGraph());
    const { id: draft } = (await start(workflow, { draft: true })).data;
    const { id: run } = (await start(workflow)).data;
    await outputOf(run);
    await ask(`mutation { workflowDelete(id: ${workflow}) { workflow { id } } }`);
    expect((await ask(`{ workflowRun(id: "${draft}") { state } }`)).data.workflowRun).toEqual({ state: 'DRAFT' });
    expect(refusal(await release(draft))).toEqual([{ code: 'NOT_FOUND' }]);
    const forked = await ask(`mutation { workflowRunFork(id: "${run}") { receipt { status } } }`);
    expect(refusal(forked)).toEqual([{ code: 'NOT_FOUND' }]);
  });

  it('is validated when it is released', async () => {
    const begin = trigger(field('topic', { input_requirements: true }));
    const { id } = (await start(await save(chain(begin, output())), { draft: true })).data;
    const receipt = (await release(id)).data.workflowRunRelease.receipt;
    expect(receipt).toMatchObject({ status: 422, data: { id, status: 'FAILED' }, run: { state: 'FAILED' } });
    expect((await result(id)).data).toEqual(receipt.data);
    expect(refusal(await release(id))).toEqual([{ code: 'CONFLICT' }]);
  });

  it('notifies subscribers of the run and of the project when it is released, also when it is refused', async () => {
    const begin = trigger(field('topic', { input_requirements: true }));
    const { id } = (await start(await save(chain(begin, output())), { draft: true })).data;
    const query = 'subscription ($id: UUID!) { workflowRunChanged(id: $id) { state } }';
    const changes = service.subscribe(query, { id }, ann.key);
    expect((await changes.next()).value.data.workflowRunChanged).toEqual({ state: 'DRAFT' });
    const bus = new Bus(databaseUrl(service.database), createLog('silent'));
    const notified = new Set<string>();
    for (const topic of [runTopic(id), activityTopic(project)]) bus.subscribe(topic, () => notified.add(topic));
    await bus.start();
    try {
      await release(id);
      await eventually(
        async () => notified.size,
        size => size === 2,
      );
      expect(await changes.next()).toMatchObject({ done: true });
    } finally {
      await bus.stop();
      await changes.return?.();
    }
  });

  it('is released by one of several simultaneous callers', async () => {
    const { id } = (await start(await save(topicGraph()), { draft: true })).data;
    const answers = await Promise.all(Array.from({ length: 5 }, () => release(id)));
    expect(answers.filter(answer => !answer.errors)).toHaveLength(1);
    expect(new Set(answers.flatMap(answer => refusal(answer) ?? []).map(({ code }) => code))).toEqual(
      new Set(['CONFLICT']),
    );
    expect(await outputOf(id)).toBe('nothing');
  });

  it('keeps its secrets until it runs, and never shows them', async () => {
    const SECRET = 'draft-canary-4711';
    const workflow = await save(
      chain(trigger(field('key', { is_secret: true })), ifElse('{{ input.key }}', '==', SECRET)),
    );
    const draft = await start(workflow, { input: { key: SECRET }, draft: true });
    const { id } = draft.data;
    const record = `{ workflowRun(id: "${id}") { inputData result state } }`;
    expect((await ask(record)).data.workflowRun).toMatchObject({ inputData: { key: '********' }, state: 'DRAFT' });
    await release(id);
    const ended = await eventually(
      () => ask(record),
      ({ data }) => data.workflowRun.state === 'SUCCEEDED',
    );
    const contents = Object.values(ended.data.workflowRun.result.data).map(
      entry => (entry as { result: { content: string } }).result.content,
    );
    expect(contents).toContain('true');
    expect(JSON.stringify(ended)).not.toContain(SECRET);
  });

  it('cannot be released by an outsider, who cannot see it either', async () => {
    const { id } = (await start(await save(topicGraph()), { draft: true })).data;
    expect(await release(id, ben.key)).toEqual(await release(MISSING, ben.key));
    expect(refusal(await release(id, ben.key))).toEqual([{ code: 'NOT_FOUND' }]);
  });
});

it.each([{}, { key: '********' }])('a run starts with the secret of its trigger: %j', async input => {
  const keyed = (value: string) => trigger(field('key', { is_secret: true, default_value: value }));
  const [other, begin] = [keyed('one-4711'), keyed('two-4711')];
  const condition = ifElse('{{ input.key }}', '==', 'two-4711');
  const data = { ...graph([other, begin, condition], [edge(begin, condition)]), start_node: begin.id };
  const { id } = (await start(await save(data), { input })).data;
  const ended = await eventually(
    () => ask(`{ workflowRun(id: "${id}") { result state } }`),
    answer => answer.data.workflowRun.state === 'SUCCEEDED',
  );
  expect(ended.data.workflowRun.result.data[condition.id].result.content).toBe('true');
});

describe('workflowRunRestart', () => {
  it('uses the original input when input and text are both absent or the text is null', async () => {
    const workflow = await save(topicGraph());
    const { id } = (await start(workflow, { input: { topic: 'first' } })).data;
    const outputs: string[] = [];
    for (const args of ['', ', inputText: null', ', input: { topic: "second" }', ', inputText: "third"', ', input: {}'])
      outputs.push(await outputOf((await restart(workflow, id, args)).data.workflowRunRestart.receipt.data.id));
    expect(outputs).toEqual(['first', 'first', 'second', 'third', 'nothing']);
  });

  it('refuses an expired run without input', async () => {
    const workflow = await save(topicGraph());
    const { id } = (await start(workflow)).data;
    await outputOf(id);
    await service.sql(`update workflow_run set run_finished_at = now() - interval '31 days' where id = $1`, [id]);
    expect(refusal(await restart(workflow, id))).toEqual([
      { code: 'BAD_USER_INPUT', fields: { nonFieldErrors: [expect.stringContaining('expired')] } },
    ]);
  });
});

describe('workflowRun', () => {
  it('has its workflow, its revision’s graph and its times', async () => {
    const data = topicGraph();
    const workflow = await save(data);
    const { id } = (await start(workflow, { input: { topic: 'cats' } })).data;
    await outputOf(id);
    const fields = `id workflowId state sequence data inputData inputFields { id: key } result duration createdAt runStartedAt runFinishedAt
      isApiRun useInMarketplaceExample useAsMarketplaceTemplate cost { usd sr externalCostUsd { cost commission } } workflow { id title }`;
    const { workflowRun: run } = (await ask(`{ workflowRun(id: "${id}") { ${fields} } }`)).data;
    expect(run).toMatchObject({
      id,
      workflowId: workflow,
      state: 'SUCCEEDED',
      data,
      inputData: { topic: 'cats' },
      inputFields: [{ id: 'topic' }],
      result: { output: 'cats' },
      isApiRun: false,
      cost: { usd: '0', sr: '0', externalCostUsd: { cost: 0, commission: 0 } },
      workflow: { id: workflow, title: 'a' },
    });
    expect(run.sequence).toBeGreaterThan(0);
    expect(Date.parse(run.runFinishedAt)).toBeGreaterThanOrEqual(Date.parse(run.runStartedAt));
    for (const args of [`workflowId: ${workflow}`, 'workflowId: null'])
      expect((await ask(`{ workflowRun(id: "${id}", ${args}) { id } }`)).data.workflowRun).toEqual({ id });
  });

  it('is found under its own workflow, by members of its project', async () => {
    const [workflow, other] = [await save(topicGraph()), await save(topicGraph())];
    const { id } = (await start(workflow)).data;
    expect(refusal(await ask(`{ workflowRun(id: "${id}", workflowId: ${other}) { id } }`))).toEqual([
      { code: 'NOT_FOUND' },
    ]);
    for (const query of ['workflowRun(id: "ID") { id }', 'workflowRunResult(id: "ID") { status }']) {
      const queryFor = (target: string) => ask(`{ ${query.replace('ID', target)} }`, {}, ben.key);
      expect(await queryFor(id)).toEqual(await queryFor(MISSING));
      expect(refusal(await queryFor(id))).toEqual([{ code: 'NOT_FOUND' }]);
      expect(refusal(await queryFor('7'))).toEqual([{ code: 'GRAPHQL_VALIDATION_FAILED' }]);
    }
  });

  it('is listed in the requested order', async () => {
    const workflow = await save(topicGraph());
    const ids = [(await start(workflow)).data.id, (await start(workflow)).data.id];
    const list = async (args: string) =>
      (await ask(`{ workflowRuns(workflowId: ${workflow}${args}) { total items { id workflow { id } } } }`)).data
        .workflowRuns;
    expect((await list('')).items.map((run: { id: string }) => run.id)).toEqual(ids.toReversed());
    expect((await list(', order: CREATED_AT_ASC, size: 1')).items).toEqual([
      { id: ids[0], workflow: { id: workflow } },
    ]);
    expect((await list(', order: COST_DESC, page: 3')).items).toEqual([]);
    for (const args of [', order: PRICE', ', order: null', ', size: null'])
      expect(refusal(await ask(`{ workflowRuns(workflowId: ${workflow}${args}) { total } }`))).toEqual([
        { code: 'GRAPHQL_VALIDATION_FAILED' },
      ]);
  });
});
