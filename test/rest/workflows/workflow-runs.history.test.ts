import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chain, field, greeting, http, ifElse, output, trigger } from '../../support/graphs.js';
import { type RestOptions, startTestService, type TestService } from '../../support/service.js';
import { type FaultyUpstream, startFaultyUpstream } from '../../support/upstreams/faulty-upstream.js';
import { bytesOf } from '../bytes-of.js';
import { restAsDeclared } from '../declared-answers.js';
import { awaitFinish, pollRun } from './finished-run.js';

const BASE = '/api/v1/workflows/';
const MISSING = '0b0d4a3e-7f5c-4c59-9d3a-2f6b8f1f4a10';
const NOT_FOUND = { detail: 'Not found.', code: 'not_found' };

let service: TestService;
let stub: FaultyUpstream;
let ann: { email: string; key: string };
let ben: { email: string; key: string };
let project: number;
const call = (method: string, path: string, options: RestOptions = {}) =>
  restAsDeclared(service, method, path, { key: ann.key, ...options });
const save = async (data: unknown): Promise<number> =>
  (await call('POST', BASE, { body: { project, title: 'a', data } })).body.id;
const run = async (id: number, body: unknown = {}): Promise<string> =>
  (await call('POST', `${BASE}${id}/run/`, { body })).body.data.id;
const runGraph = (id: string, body: unknown) => call('POST', `${BASE}run/?task_id=${id}`, { body });
const history = async (id: number, query = '') => (await call('GET', `${BASE}${id}/history/?${query}`)).body;
const item = async (id: number, runId: string) => (await call('GET', `${BASE}${id}/history/${runId}/`)).body;
const expire = (runId: string) =>
  service.sql(`update workflow_run set run_finished_at = now() - interval '31 days' where id = $1`, [runId]);

const topicGraph = (fallback = 'nothing') =>
  chain(trigger(field('topic')), output(`{{ input.topic | default: "${fallback}" }}`));

beforeAll(async () => {
  [service, stub] = await Promise.all([startTestService(), startFaultyUpstream()]);
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
  project = (await call('POST', '/api/v1/projects/', { body: { name: 'Home' } })).body.id;
});
afterAll(() => Promise.all([service?.stop(), stub?.stop()]));

describe('polling', () => {
  const poll = (query: string, key = ann.key) => call('GET', `${BASE}workflow_result/${query}`, { key });

  it.each([
    ['', { id: ['This field is required.'] }],
    ['?id=', { id: ['Must be a valid UUID.'] }],
    ['?id=7', { id: ['Must be a valid UUID.'] }],
    ['?id=%00', { id: ['Must be a valid UUID.'] }],
    [`?id=${MISSING}`, NOT_FOUND],
  ])('answers 400 to workflow_result/%s', async (query, body) => {
    expect(await poll(query)).toMatchObject({ status: 400, body });
  });

  it('answers 400 for an outsider’s run as for one that does not exist', async () => {
    const id = await run(await save(topicGraph()));
    const path = `${BASE}workflow_result/?id=`;
    const theirs = await bytesOf(service, 'GET', path + id, { key: ben.key });
    expect(theirs).toEqual(await bytesOf(service, 'GET', path + MISSING, { key: ben.key }));
    expect(theirs.status).toBe(400);
    expect((await poll(`?id=${id}`, service.key)).status).toBe(200);
    expect((await call('GET', path + id, { key: null })).status).toBe(401);
  });

  it('shows a run as queued, in progress and ended', async () => {
    const [begin, waiting, end] = [trigger(), http(`${stub.url}/held`), output()];
    const workflow = await save(chain(begin, waiting, end));
    const id = await run(workflow);
    const atWork = await eventually(
      () => pollRun(service, id, ann.key),
      each => each.status === 'in progress' && each.data?.[waiting.id] !== undefined,
    );
    expect(atWork.data).toEqual({
      [begin.id]: { id: begin.id, status: 'succeed', result: { content: '{}' } },
      [waiting.id]: { id: waiting.id, status: 'in progress' },
    });
    expect(await item(workflow, id)).toMatchObject({
      status: 'In Progress',
      run_started_at: expect.any(String),
      run_finished_at: null,
      duration: null,
      result: null,
    });
    stub.release();
    const ended = await awaitFinish(service, id, ann.key);
    expect(ended).toMatchObject({ status: 'succeed', output: 'released' });
    expect(Object.keys(ended.data).toSorted()).toEqual([begin.id, waiting.id, end.id].toSorted());
  });

  it('shows a run as queued while no worker claims it', async () => {
    const api = await startTestService({ role: 'api' });
    try {
      const home = (await api.rest('POST', '/api/v1/projects/', { body: { name: 'Home' } })).body.id;
      const { id } = (await api.rest('POST', BASE, { body: { project: home, title: 'a', data: topicGraph() } })).body;
      const runId = (await api.rest('POST', `${BASE}${id}/run/`, { body: {} })).body.data.id;
      expect(await pollRun(api, runId)).toEqual({ id: runId, status: 'in queue', data: null, output: null });
      const queued = await restAsDeclared(api, 'GET', `${BASE}${id}/history/${runId}/`);
      expect(queued.body).toMatchObject({
        status: 'In Progress',
        run_started_at: null,
        run_finished_at: null,
        duration: null,
      });
    } finally {
      await api.stop();
    }
  });

  it('finds no result of an expired run, whose record stays', async () => {
    const workflow = await save(topicGraph());
    const id = await run(workflow, { topic: 'old' });
    await awaitFinish(service, id, ann.key);
    expect((await item(workflow, id)).result.output).toBe('old');
    await expire(id);
    expect(await pollRun(service, id, ann.key)).toEqual({ id, status: 'not found', data: null, output: null });
    expect(await item(workflow, id)).toMatchObject({ id, status: 'Succeeded', result: null, input_data: {} });
    await service.sql('update workflow_run set is_api_run = true where id = $1', [id]);
    expect(await pollRun(service, id, ann.key)).toMatchObject({ status: 'succeed', output: 'old' });
  });
});

describe('the history', () => {
  it('has an item with every member', async () => {
    const data = topicGraph();
    const workflow = await save(data);
    const id = await run(workflow, { topic: 'cats', extra: 1 });
    const { data: entries, output: out } = await awaitFinish(service, id, ann.key);
    const record = await item(workflow, id);
    expect(record).toEqual({
      id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      run_started_at: expect.any(String),
      run_finished_at: expect.any(String),
      status: 'Succeeded',
      result: { data: entries, output: out },
      data,
      input_data: { topic: 'cats', extra: 1 },
      input_fields: [field('topic')],
      is_api_run: false,
      use_in_marketplace_example: false,
      use_as_marketplace_template: false,
      cost: { USD: '0', SR: '0', external_cost_usd: { cost: 0, commission: 0 } },
      duration: expect.any(Number),
    });
    expect(record.duration).toBeCloseTo(
      (Date.parse(record.run_finished_at) - Date.parse(record.run_started_at)) / 1000,
      5,
    );
    expect((await call('GET', `${BASE}${workflow}/history/${id}`)).body).toEqual(record);
    expect((await history(workflow)).items).toEqual([record]);
  });

  it('orders by time and by cost, in pages', async () => {
    const workflow = await save(topicGraph());
    const ids: string[] = [];
    for (const cost of ['0.5', '0.05', '10']) {
      const id = await run(workflow);
      await awaitFinish(service, id, ann.key);
      await service.sql('update workflow_run set cost_usd = $2 where id = $1', [id, cost]);
      ids.push(id);
    }
    const [half, little, much] = ids;
    const order = async (query: string) =>
      (await history(workflow, query)).items.map((each: { id: string }) => each.id);
    expect(await order('')).toEqual([much, little, half]);
    expect(await order('ordering=-created_at')).toEqual([much, little, half]);
    expect(await order('ordering=created_at')).toEqual([half, little, much]);
    expect(await order('ordering=cost')).toEqual([little, half, much]);
    expect(await order('ordering=-cost')).toEqual([much, half, little]);
    expect(await order('ordering=cost&size=1&page=2')).toEqual([half]);
    expect(await order('ordering=cost&page=9')).toEqual([]);
    expect(await history(workflow, 'size=0')).toEqual({ page: 1, size: 0, total: 3, items: [] });
    const [mostExpensive] = (await history(workflow, 'ordering=-cost&size=1')).items;
    expect(mostExpensive.cost).toEqual({ USD: '10', SR: '1000', external_cost_usd: { cost: 10, commission: 0 } });
    for (const [query, member] of [
      ['ordering=price', 'ordering'],
      ['ordering=', 'ordering'],
      ['size=101', 'size'],
      ['page=0', 'page'],
    ] as const) {
      const { status, body } = await call('GET', `${BASE}${workflow}/history/?${query}`);
      expect([status, Object.keys(body)]).toEqual([400, [member]]);
    }
  });

  it('finds a run only under its own workflow', async () => {
    const [mine, other] = [await save(topicGraph()), await save(topicGraph())];
    const id = await run(mine);
    for (const [method, rest] of [
      ['GET', ''],
      ['POST', 're-run/'],
    ] as const) {
      const under = (workflow: number, runId: string) => `${BASE}${workflow}/history/${runId}/${rest}`;
      expect(await call(method, under(other, id))).toMatchObject({ status: 404, body: NOT_FOUND });
      expect(await call(method, under(mine, MISSING))).toMatchObject({ status: 404, body: NOT_FOUND });
      for (const bad of ['abc', '7', '%00']) expect((await call(method, under(mine, bad))).status).toBe(404);
      const outsider = await bytesOf(service, method, under(mine, id), { key: ben.key });
      expect(outsider).toEqual(await bytesOf(service, method, under(mine, MISSING), { key: ben.key }));
    }
    expect((await history(other)).total).toBe(0);
  });

  it('keeps a refused run with the reasons', async () => {
    const [begin, condition] = [trigger(field('topic')), ifElse('1', 'like', '2')];
    const workflow = await save(chain(begin, condition));
    const { data } = (await call('POST', `${BASE}${workflow}/run/`, { body: { topic: 'x' } })).body;
    expect(await item(workflow, data.id)).toMatchObject({
      status: 'Error',
      result: { data: data.data, output: null },
      input_data: { topic: 'x' },
      run_started_at: null,
      run_finished_at: expect.any(String),
      duration: 0,
    });
  });

  it('is deleted with its project', async () => {
    const home = (await call('POST', '/api/v1/projects/', { body: { name: 'Short-lived' } })).body.id;
    const { id } = (await call('POST', BASE, { body: { project: home, title: 'a', data: topicGraph() } })).body;
    const runId = await run(id);
    await awaitFinish(service, runId, ann.key);
    expect((await call('DELETE', `/api/v1/projects/${home}/`)).status).toBe(204);
    expect((await call('GET', `${BASE}${id}/`)).status).toBe(404);
    expect((await call('GET', `${BASE}workflow_result/?id=${runId}`)).status).toBe(400);
  });
});

describe('a re-run', () => {
  const rerun = (workflow: number, runId: string, options: RestOptions = {}) =>
    call('POST', `${BASE}${workflow}/history/${runId}/re-run/`, options);

  it('uses the original input when nothing is sent, and the graph of that time', async () => {
    const workflow = await save(topicGraph());
    const first = await run(workflow, { topic: 'cats' });
    await call('PATCH', `${BASE}${workflow}/`, { body: { data: topicGraph('changed') } });
    const { status, body } = await rerun(workflow, first);
    expect(status).toBe(201);
    expect(body).toEqual({ status: 201, data: { id: expect.any(String), status: 'in queue', data: null } });
    expect(body.data.id).not.toBe(first);
    expect((await awaitFinish(service, body.data.id, ann.key)).output).toBe('cats');
    expect((await history(workflow)).total).toBe(2);
  });

  it('uses the body when one is sent, flat or as text', async () => {
    const workflow = await save(topicGraph());
    const first = await run(workflow, { topic: 'cats' });
    const outputs: string[] = [];
    for (const options of [
      { body: { topic: 'dogs' } },
      { body: 'birds', headers: { 'Content-Type': 'text/plain' } },
      { body: {} },
    ]) {
      const { status, body } = await rerun(workflow, first, options);
      expect(status).toBe(201);
      outputs.push((await awaitFinish(service, body.data.id, ann.key)).output);
    }
    expect(outputs).toEqual(['dogs', 'birds', 'nothing']);
    const bare = await call('POST', `${BASE}${workflow}/history/${first}/re-run`, { body: { topic: 'fish' } });
    expect(bare.status).toBe(201);
  });

  it('that is refused is HTTP 400 with the envelope', async () => {
    const begin = trigger(field('topic', { input_requirements: true }));
    const workflow = await save(chain(begin, output()));
    const first = await run(workflow, { topic: 'cats' });
    expect(await rerun(workflow, first, { body: { topic: '' } })).toMatchObject({
      status: 400,
      body: {
        status: 422,
        data: {
          id: expect.any(String),
          status: 'failed',
          data: { [begin.id]: { id: begin.id, status: 'failed', result: [{ 'input_fields.topic': 'required' }] } },
        },
      },
    });
    const list = await rerun(workflow, first, { body: '[1]', headers: { 'Content-Type': 'application/json' } });
    expect(list).toMatchObject({ status: 400, body: { status: 400, data: { status: 'failed', data: null } } });
    const broken = await rerun(workflow, first, { body: '{', headers: { 'Content-Type': 'application/json' } });
    expect(broken).toMatchObject({ status: 400, body: { code: 'parse_error' } });
    const binary = await rerun(workflow, first, { body: 'x', headers: { 'Content-Type': 'image/png' } });
    expect(binary.status).toBe(415);
  });

  it('of an expired run needs a body', async () => {
    const workflow = await save(topicGraph());
    const first = await run(workflow, { topic: 'cats' });
    await awaitFinish(service, first, ann.key);
    await expire(first);
    const refused = await rerun(workflow, first);
    expect(refused).toMatchObject({ status: 400, body: { non_field_errors: [expect.stringContaining('expired')] } });
    const { status, body } = await rerun(workflow, first, { body: { topic: 'dogs' } });
    expect(status).toBe(201);
    expect((await awaitFinish(service, body.data.id, ann.key)).output).toBe('dogs');
  });
});

describe('polling by task_id and for one node', () => {
  const poll = (query: string) => call('GET', `${BASE}workflow_result/${query}`);

  it('is the same as by id', async () => {
    const id = randomUUID();
    await runGraph(id, greeting());
    const byId = await awaitFinish(service, id, ann.key);
    expect((await poll(`?task_id=${id}`)).body.data).toEqual(byId);
    expect((await poll(`?task_id=${MISSING}&id=${id}`)).body.data).toEqual(byId);
  });

  it('contains only that node, and omits a member where the node has no entry', async () => {
    const id = randomUUID();
    const data = greeting();
    const last = data.nodes[1]?.id ?? '';
    await runGraph(id, data);
    const whole = await awaitFinish(service, id, ann.key);
    const one = (await poll(`?task_id=${id}&node_id=${last}`)).body.data;
    expect(one).toEqual({ ...whole, data: { [last]: whole.data[last] } });
    for (const name of ['nowhere', MISSING, '__proto__', 'constructor', ''])
      expect((await poll(`?id=${id}&node_id=${name}`)).body.data).toEqual({ ...whole, data: {} });
  });

  it('is empty without an entry', async () => {
    const { id } = (await call('POST', BASE, { body: { project, title: 'a', data: greeting() } })).body;
    const draft = await service.graphql(
      `mutation { workflowRunStart(workflowId: ${id}, draft: true) { receipt { data { id: runId } } } }`,
      {},
      ann.key,
    );
    const { body } = await poll(`?id=${draft.data.workflowRunStart.receipt.data.id}&node_id=x`);
    expect(body.data).toMatchObject({ status: 'not found', data: null });
  });

  it('needs one of the ids', async () => {
    for (const query of ['', '?node_id=x'])
      expect(await poll(query)).toMatchObject({ status: 400, body: { id: ['This field is required.'] } });
    expect((await poll('?task_id=x')).body).toEqual({ task_id: ['Must be a valid UUID.'] });
  });
});

describe('the history by query', () => {
  it('is the list of the workflow with limit in place of size', async () => {
    const { id } = (await call('POST', BASE, { body: { project, title: 'a', data: greeting() } })).body;
    for (let n = 0; n < 3; n++) {
      const { body } = await call('POST', `${BASE}${id}/run/`, { body: {} });
      await awaitFinish(service, body.data.id, ann.key);
    }
    for (const [query, same] of [
      ['', ''],
      ['&limit=2', '?size=2'],
      ['&limit=2&page=2', '?size=2&page=2'],
      ['&limit=1&ordering=created_at', '?size=1&ordering=created_at'],
      ['&limit=50&size=1', '?size=50'],
    ])
      expect((await call('GET', `${BASE}history/?workflow_id=${id}${query}`)).body).toEqual(
        (await call('GET', `${BASE}${id}/history/${same}`)).body,
      );
  });

  it('is refused without a workflow, and beyond its limits', async () => {
    const { id } = (await call('POST', BASE, { body: { project, title: 'a', data: greeting() } })).body;
    for (const [query, member] of [
      ['', 'workflow_id'],
      ['?workflow_id=x', 'workflow_id'],
      [`?workflow_id=${id}&limit=0`, 'limit'],
      [`?workflow_id=${id}&limit=51`, 'limit'],
      [`?workflow_id=${id}&page=0`, 'page'],
      [`?workflow_id=${id}&ordering=price`, 'ordering'],
    ] as const)
      expect(await call('GET', `${BASE}history/${query}`)).toMatchObject({
        status: 400,
        body: { [member]: [expect.any(String)] },
      });
    const theirs = await call('GET', `${BASE}history/?workflow_id=${id}`, { key: ben.key });
    const missing = await call('GET', `${BASE}history/?workflow_id=${2 ** 31 - 1}`, { key: ben.key });
    expect([theirs.status, theirs.body]).toEqual([404, missing.body]);
  });
});
