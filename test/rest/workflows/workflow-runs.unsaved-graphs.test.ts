import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  chain,
  field,
  greeting,
  http,
  ifElse,
  type Json,
  nested,
  node,
  output,
  template,
  trigger,
} from '../../support/graphs.js';
import { setRole } from '../../support/members.js';
import { type RestOptions, startTestService, type TestService } from '../../support/service.js';
import { restAsDeclared } from '../declared-answers.js';
import { awaitFinish, pollRun } from './finished-run.js';

const BASE = '/api/v1/workflows/';
const MISSING = '0b0d4a3e-7f5c-4c59-9d3a-2f6b8f1f4a10';

let service: TestService;
let ann: { key: string };
let ben: { key: string };
let home: number;
let work: number;

const call = (method: string, path: string, options: RestOptions = {}) =>
  restAsDeclared(service, method, path, { key: ann.key, ...options });
const runGraph = (id: string, body: unknown, key = ann.key) => call('POST', `${BASE}run/?task_id=${id}`, { body, key });
const count = async (table: string) =>
  (await service.sql<{ count: number }>(`select count(*)::int as count from ${table}`))[0]?.count ?? 0;

beforeAll(async () => {
  service = await startTestService();
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
  home = (await call('POST', '/api/v1/projects/', { body: { name: 'Home' } })).body.id;
  work = (await call('POST', '/api/v1/projects/', { body: { name: 'Work' } })).body.id;
});
afterAll(() => service?.stop());

describe('checking a graph that is not stored', () => {
  const check = (body: unknown) => call('POST', `${BASE}check_workflow/`, { body });

  it('has the same result as checking it once it is stored', async () => {
    const graphs = [
      greeting(),
      chain(trigger(), ifElse('1', 'like', '2')),
      chain(trigger(), node('teleport-node')),
      {},
    ];
    for (const data of graphs) {
      const { id } = (await call('POST', BASE, { body: { project: home, title: 'a', data } })).body;
      const stored = await call('GET', `${BASE}${id}/check_workflow/`);
      for (const body of [data, { data }, { data, project: 'ignored' }])
        expect(await check(body)).toMatchObject({ status: 200, body: stored.body });
    }
  });

  it.each([{ nodes: 7 }, { nodes: null }, { data: null }, { data: [] }, { data: 'x', nodes: [] }, { edges: [{}] }])(
    'is 200 for any object: %j',
    async body => {
      expect(await check(body)).toMatchObject({ status: 200, body: { is_valid: false, status: 400, data: null } });
    },
  );

  it('refuses what is not an object, and anonymous callers', async () => {
    for (const body of ['[]', '7', 'null', '{"nodes":'])
      expect(
        (await call('POST', `${BASE}check_workflow/`, { body, headers: { 'Content-Type': 'application/json' } }))
          .status,
      ).toBe(400);
    expect((await call('POST', `${BASE}check_workflow/`, { body: {}, key: null })).status).toBe(401);
    expect((await check(nested(65))).body.code).toBe('parse_error');
  });

  it('has the same result over GraphQL, and refuses anonymous callers', async () => {
    const ask = (data: unknown, key: string | null = ann.key) =>
      service.graphql('query ($data: JSON) { workflowCheck(data: $data) { isValid status } }', { data }, key);
    expect((await ask(greeting())).data.workflowCheck).toEqual({ isValid: true, status: 200 });
    for (const data of [null, undefined, 7, []])
      expect((await ask(data)).data.workflowCheck).toEqual({ isValid: false, status: 400 });
    expect((await ask(greeting(), null)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });
});

describe('running a graph that is not stored', () => {
  it('starts a run with the given id in the oldest project that the caller owns, and creates no workflow', async () => {
    const [id, workflows] = [randomUUID(), await count('workflow')];
    const { status, body } = await runGraph(id, greeting());
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 201, data: { id, status: 'in queue', data: null } },
    });
    expect((await awaitFinish(service, id, ann.key)).output).toBe('Hello none');
    expect(await count('workflow')).toBe(workflows);
    expect(await service.sql('select project_id, workflow_id from workflow_run where id = $1', [id])).toEqual([
      { project_id: home, workflow_id: null },
    ]);
  });

  it('never uses a project of another owner, however old it is', async () => {
    const newcomer = await service.createUser('newcomer');
    await setRole(service, home, newcomer.email, 'admin');
    const id = randomUUID();
    expect((await runGraph(id, greeting(), newcomer.key)).body.status).toBe(201);
    const [run] = await service.sql(
      `select p.name, m.role, u.email from workflow_run r join project p on p.id = r.project_id
         join project_member m on m.project_id = p.id join app_user u on u.id = m.user_id where r.id = $1`,
      [id],
    );
    expect(run).toEqual({ name: 'Personal', role: 'owner', email: newcomer.email });
  });

  it('accepts input and project next to the graph', async () => {
    const id = randomUUID();
    await runGraph(id, { data: greeting(), input_data: { topic: 'cats' }, project: work });
    expect((await awaitFinish(service, id, ann.key)).output).toBe('Hello cats');
    const [run] = await service.sql('select project_id from workflow_run where id = $1', [id]);
    expect(run?.project_id).toBe(work);
  });

  it('accepts null for what may be left out, except for the input', async () => {
    const id = randomUUID();
    expect((await runGraph(id, { data: greeting(), project: null })).body.status).toBe(201);
    const refused = await runGraph(randomUUID(), { data: greeting(), input_data: null });
    expect(refused).toMatchObject({ status: 200, body: { status: 400, data: { error: { code: 'invalid_input' } } } });
  });

  it.each<[string, () => Json, number]>([
    ['422 for a node', () => ({ ...chain(trigger(), ifElse('1', 'like', '2')) }), 422],
    ['422 for the input', () => ({ ...chain(trigger(field('a', { input_requirements: true })), output('x')) }), 422],
    ['400 for the structure', () => ({ nodes: [{ id: 'a', type: 'teleport-node' }] }), 400],
    ['400 for what is not a graph at all', () => ({ nodes: 7, edges: 'x', viewport: [] }), 400],
    ['400 for nothing', () => ({}), 400],
  ])('is refused inside the envelope with %s, and recorded', async (_what, data, inner) => {
    const id = randomUUID();
    const sent = data();
    const { status, body } = await runGraph(id, sent);
    expect({ status, inner: body.status, run: body.data.status }).toEqual({ status: 200, inner, run: 'failed' });
    expect(await pollRun(service, id, ann.key)).toEqual({ ...body.data, output: null });
    expect((await runGraph(id, sent)).body).toEqual(body);
  });

  it('protects secrets as a stored workflow does', async () => {
    const id = randomUUID();
    const secret = 'canary-of-a-secret';
    const data = chain(
      trigger(field('token', { is_secret: true, default_value: secret }), field('own', { is_secret: true })),
      template('{{ input.token }} {{ input.own }}'),
    );
    await runGraph(id, { data, input_data: { own: 'another-canary' } });
    const ended = await awaitFinish(service, id, ann.key);
    expect(ended.status).toBe('succeed');
    const record = await service.graphql(
      `{ workflowRun(id: "${id}") { data inputData result inputFields { defaultValue } } }`,
      {},
      ann.key,
    );
    expect(record.data.workflowRun.inputData).toEqual({ token: '********', own: '********' });
    const rows = await Promise.all(
      ['workflow_run', 'workflow_run_payload', 'workflow_revision', 'workflow_run_journal'].map(table =>
        service.sql(`select * from ${table}`),
      ),
    );
    const text = JSON.stringify([ended, record, rows]);
    expect(text).not.toContain(secret);
    expect(text).not.toContain('another-canary');
  });

  it('can be read, billed and cancelled like any other run', async () => {
    const [slow, quick] = [randomUUID(), randomUUID()];
    await runGraph(quick, greeting());
    await awaitFinish(service, quick, ann.key);
    const billed = await call('GET', `/api/v1/billing-history/workflowrun/${quick}/`);
    expect(billed.body).toMatchObject({ total: 2, items: [{ run_id: quick }, { run_id: quick }] });
    const record = await service.graphql(
      `{ workflowRun(id: "${quick}") { id workflowId state workflow { id } data inputData inputFields { id: key } result cost { usd } } }`,
      {},
      ann.key,
    );
    expect(record.data.workflowRun).toMatchObject({
      id: quick,
      workflowId: null,
      workflow: null,
      state: 'SUCCEEDED',
      inputFields: [{ id: 'topic' }],
      result: { output: 'Hello none' },
    });
    // No server listens there, and the node retries for a long while.
    const waiting = http('http://127.0.0.1:9/', { on_error: 'retry', retry: { attempts: 10, delay_seconds: 60 } });
    await runGraph(slow, chain(trigger(), waiting));
    const cancelled = await service.graphql(
      `mutation { workflowRunCancel(id: "${slow}") { workflowRun { state } } }`,
      {},
      ann.key,
    );
    expect(cancelled.data.workflowRunCancel.workflowRun.state).toBe('CANCELLED');
    expect((await pollRun(service, slow, ann.key)).status).toBe('failed');
  });
});

describe('the id of such a run', () => {
  it('leads the same request to the same receipt, whatever has happened to the run', async () => {
    const id = randomUUID();
    const data = greeting();
    const first = await runGraph(id, data);
    await awaitFinish(service, id, ann.key);
    const [{ edges, nodes, ...rest }, upper] = [data, id.toUpperCase()];
    for (const [name, body] of [
      [id, data],
      [id, { data }],
      [id, { data, project: home }],
      [upper, { ...rest, nodes, edges }],
    ] as const)
      expect((await runGraph(name, body)).body).toEqual(first.body);
    expect(await service.sql('select id from workflow_run where id = $1', [id])).toHaveLength(1);
  });

  it('is a conflict with any other request', async () => {
    const id = randomUUID();
    const data = greeting();
    await runGraph(id, { data });
    for (const body of [
      greeting(),
      { data, input_data: {} },
      { data, input_data: null },
      { data, project: work },
      { data: { ...data, extra: true } },
    ])
      expect(await runGraph(id, body)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  it('does not reveal the owner of the run', async () => {
    await call('POST', '/api/v1/projects/', { body: { name: 'Ben’s' }, key: ben.key });
    const data = greeting();
    const stored = (await call('POST', BASE, { body: { project: home, title: 'a', data } })).body.id;
    const [graphRun, workflowRun] = [
      randomUUID(),
      (await call('POST', `${BASE}${stored}/run/`, { body: {} })).body.data.id,
    ];
    await runGraph(graphRun, data);
    const mine = await runGraph(graphRun, greeting());
    for (const id of [graphRun, workflowRun]) {
      const theirs = await runGraph(id, data, ben.key);
      expect(theirs.status).toBe(409);
      expect(theirs.body).toEqual(mine.body);
    }
    for (const id of [graphRun, MISSING])
      expect((await call('GET', `${BASE}workflow_result/?task_id=${id}`, { key: ben.key })).status).toBe(400);
  });

  it('starts one run when many send it at once, and leaves no trace of the others', async () => {
    const [id, data, revisions] = [randomUUID(), greeting(), await count('workflow_revision')];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => runGraph(id, index % 3 === 0 ? greeting() : data)),
    );
    expect(answers.filter(answer => ![200, 409].includes(answer.status))).toEqual([]);
    expect(answers.filter(answer => answer.status === 200).length).toBeGreaterThan(0);
    expect(await service.sql('select id from workflow_run where id = $1', [id])).toHaveLength(1);
    expect(await count('workflow_revision')).toBe(revisions + 1);
    expect((await awaitFinish(service, id, ann.key)).output).toBe('Hello none');
  });

  it.each([
    '',
    '?task_id=',
    '?task_id=7',
    '?id=0b0d4a3e-7f5c-4c59-9d3a-2f6b8f1f4a10',
    '?task_id=0b0d4a3e7f5c4c599d3a2f6b8f1f4a10',
  ])('must be a UUID: %j', async query => {
    const answer = await call('POST', `${BASE}run/${query}`, { body: greeting() });
    expect(answer).toMatchObject({ status: 400, body: { task_id: [expect.any(String)] } });
  });

  it('can be combined with an Idempotency-Key', async () => {
    const [id, data, headers] = [randomUUID(), greeting(), { 'Idempotency-Key': randomUUID() }];
    const send = (task: string) => call('POST', `${BASE}run/?task_id=${task}`, { body: data, headers });
    const first = await send(id);
    const again = await send(id);
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    expect((await send(randomUUID())).status).toBe(422);
  });
});

describe('the project of such a run', () => {
  it('must be a project of the caller', async () => {
    const theirs = (await call('POST', '/api/v1/projects/', { body: { name: 'x' }, key: ben.key })).body.id;
    for (const project of [theirs, 2 ** 31 - 1, 0, -1])
      expect(await runGraph(randomUUID(), { data: greeting(), project })).toMatchObject({
        status: 400,
        body: { project: ['Object does not exist.'] },
      });
    for (const project of ['x', 1.5, 2 ** 31])
      expect((await runGraph(randomUUID(), { data: greeting(), project })).body).toEqual({
        project: ['A valid integer is required.'],
      });
  });

  it('is created for a caller who owns none, once for simultaneous requests', async () => {
    const user = await service.createUser('lone');
    const ids = Array.from({ length: 4 }, () => randomUUID());
    const answers = await Promise.all(ids.map(id => runGraph(id, greeting(), user.key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const projects = await service.sql('select distinct project_id from workflow_run where id = any($1)', [ids]);
    expect(projects).toHaveLength(1);
  });

  it('requires the role editor', async () => {
    for (const [role, status] of [
      ['viewer', 403],
      ['editor', 200],
    ] as const) {
      const member = await service.createUser(role);
      await setRole(service, home, member.email, role);
      const body = { data: greeting(), project: home };
      expect((await runGraph(randomUUID(), body, member.key)).status).toBe(status);
    }
  });
});

describe('workflowRunStartGraph', () => {
  const start = (variables: Json) =>
    service.graphql(
      `mutation ($id: UUID!, $data: JSON!, $input: JSON, $project: Int, $key: String) {
        workflowRunStartGraph(id: $id, data: $data, input: $input, projectId: $project, idempotencyKey: $key) { receipt {
          status data { id: runId status } run { id workflowId } } } }`,
      variables,
      ann.key,
    );

  it('returns the receipt, the same for the same arguments, also those of REST', async () => {
    const [id, data] = [randomUUID(), greeting()];
    const first = await start({ id, data, input: { topic: 'x' }, project: work, key: randomUUID() });
    expect(first.data.workflowRunStartGraph.receipt).toEqual({
      status: 201,
      data: { id, status: 'QUEUED' },
      run: { id, workflowId: null },
    });
    expect(await start({ id, data, input: { topic: 'x' }, project: work })).toEqual(first);
    expect((await runGraph(id, { data, input_data: { topic: 'x' }, project: work })).body.data.id).toBe(id);
    expect((await start({ id, data })).errors?.[0]?.extensions).toEqual({ code: 'CONFLICT' });
  });

  it('refuses data that is not an object or cannot be stored', async () => {
    for (const data of [7, 'x', []])
      expect((await start({ id: randomUUID(), data })).errors?.[0]?.extensions).toEqual({
        code: 'BAD_USER_INPUT',
        fields: { data: ['Must be an object with `nodes` and `edges`.'] },
      });
    const literal = await service.graphql(
      `mutation { workflowRunStartGraph(id: "${randomUUID()}", data: { nodes: ["\\u0000"] }) { receipt { status } } }`,
      {},
      ann.key,
    );
    expect(literal.errors?.[0]?.extensions.fields).toHaveProperty('data');
  });
});
