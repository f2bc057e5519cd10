import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Budget } from '../../../src/modules/billing/budgets/budget.js';
import { Reconciliation } from '../../../src/modules/workflow-runs/reconciliation/reconciliation.js';
import type { Database } from '../../../src/platform/database/database.js';
import { partsBy } from '../../rest/scenarios/part-makers.js';
import { openDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { CALL_USD, paidGraph } from '../../support/paid-graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { bearer, createLogin } from '../../support/sessions.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

const SET = `mutation ($input: OperatorLimitInput!) { operatorLimitSet(input: $input) { operatorLimit {
  limit { usd } isDefault spent { usd } reserved { usd } remaining { usd } } } }`;
const PAID_REQUEST = {
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content: 'x'.repeat(4_000) }],
  max_tokens: 500,
};
const FREE_REQUEST = { ...PAID_REQUEST, model: 'echo' };

let upstream: StubUpstream;
let service: TestService;
let second: TestService;
let database: Database;
let project: number;
let count = 0;
const parts = partsBy(
  () => service,
  () => service.key,
);

beforeAll(async () => {
  upstream = await startStubUpstream();
  const openai = { baseUrl: upstream.url, apiKey: 'sk-service-0123456789' };
  service = await startTestService({ openai });
  second = await startTestService({ openai, role: 'api' }, service.database);
  database = await openDatabase(service.database);
});
afterAll(async () => {
  expect(await new Reconciliation(database).differences()).toEqual([]);
  await database?.close();
  await second?.stop();
  await service?.stop();
  await upstream?.stop();
});
beforeEach(async () => {
  upstream.requests.length = 0;
  project = await parts.project();
});

const setLimit = async ({ limitUsd, ...holder }: Record<string, unknown>, key = service.key) =>
  service.graphql(SET, { input: { holder, limitUsd } }, key);

async function user() {
  const created = await service.createUser(`user${++count}`);
  const [row] = await service.sql('select id from app_user where email = $1', [created.email]);
  return { ...created, id: row!.id as number };
}

/** `credential`: an API key or an access token. */
function chat(credential: string, body: object = PAID_REQUEST, projectId?: number, through = service) {
  const headers: Record<string, string> = { Authorization: `Bearer ${credential}` };
  if (projectId !== undefined) headers['X-Project-Id'] = String(projectId);
  return through.rest('POST', '/v1/chat/completions', { body, key: null, headers });
}

async function counters(table: 'project' | 'app_user', id: number) {
  const [row] = await service.sql(
    `select trim_scale(service_spent_usd)::text as spent, trim_scale(service_reserved_usd)::text as reserved
       from ${table} where id = $1`,
    [id],
  );
  return row!;
}

const settled = (table: 'project' | 'app_user', id: number, spent: string) =>
  eventually(
    () => counters(table, id),
    row => row.spent === spent && row.reserved === '0',
  );

async function attachKey(id: number) {
  const input = { provider: 'OPENAI', name: 'Ours', key: 'sk-project-abcdefgh-1234' };
  const attach = `mutation ($id: Int!, $input: ProviderKeyInput!) { providerKeyAttach(projectId: $id, input: $input) { providerKey { id } } }`;
  expect((await service.graphql(attach, { id, input })).errors).toBeUndefined();
}

it('simultaneous callers in two processes never reserve more than the limits of project and user', async () => {
  const limits = { userUsd: null, projectUsd: null };
  const other = await openDatabase(service.database);
  const budgets = [new Budget(database, limits), new Budget(other, limits)];
  const projects = await Promise.all([parts.project(), parts.project()]);
  const users = await Promise.all([user(), user()]);
  for (const id of projects) await setLimit({ projectId: id, limitUsd: '9' });
  for (const { id } of users) await setLimit({ userId: id, limitUsd: '7' });
  const callers = Array.from({ length: 32 }, (_, nth) => ({
    budget: budgets[nth % 2]!,
    project: projects[(nth >> 1) % 2]!,
    user: users[(nth >> 2) % 2]!.id,
  }));
  const attempts = callers.map(({ budget, project, user }) =>
    budget.reserve(project, randomUUID(), '1', undefined, { userId: user }).catch(error => {
      expect(error).toMatchObject({ code: 'budget_exceeded' });
      return null;
    }),
  );
  const ids = (await Promise.all(attempts)).filter(id => id !== null);
  expect(ids).toHaveLength(14);
  for (const { id } of users) expect((await counters('app_user', id)).reserved).toBe('7');
  // Half of them are released twice.
  await Promise.all(ids.flatMap((id, nth) => [budgets[0]!.release(id), ...(nth % 2 ? [budgets[1]!.release(id)] : [])]));
  for (const { id } of users) expect((await counters('app_user', id)).reserved).toBe('0');
  for (const id of projects) expect((await counters('project', id)).reserved).toBe('0');
  await other.close();
});

it('limits simultaneous chat completions in two processes, for every credential of the user', async () => {
  const login = await createLogin(service, `login${++count}`);
  const keys = await Promise.all(
    [1, 2].map(async nth => {
      const made = await service.rest('POST', '/graphql', {
        ...bearer(login.access),
        body: { query: `mutation { apiKeyCreate(input: { name: "k${nth}" }) { apiKey { key } } }` },
      });
      return made.body.data.apiKeyCreate.apiKey.key as string;
    }),
  );
  // Three calls fit: a reservation is a little more than the cost.
  await setLimit({ userId: login.id, limitUsd: '0.0015' });
  const answers = await Promise.all(
    Array.from({ length: 18 }, (_, nth) => chat(keys[nth % 2]!, PAID_REQUEST, undefined, nth % 3 ? service : second)),
  );
  const passed = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 402);
  expect(passed.length).toBeGreaterThan(0);
  expect(passed.length).toBeLessThanOrEqual(3);
  expect(passed.length + refused.length).toBe(18);
  expect(refused[0]!.body.error).toMatchObject({
    code: 'budget_exceeded',
    message: expect.stringMatching(/operator limit of the user.*provider key.*administrator/),
  });
  expect(upstream.requests).toHaveLength(passed.length);
  await settled('app_user', login.id, String((passed.length * 45) / 1e5));
  await setLimit({ userId: login.id, limitUsd: '0' });
  for (const each of keys) expect((await chat(each)).status).toBe(402);
  const graphql = await service.rest('POST', '/graphql', {
    ...bearer(login.access),
    body: {
      query: 'mutation ($r: ChatRequest!) { chatCompletionCreate(request: $r) { chatCompletion errors { code } } }',
      variables: { r: PAID_REQUEST },
    },
  });
  expect(graphql.body.data.chatCompletionCreate).toEqual({
    chatCompletion: null,
    errors: [{ code: 'BUDGET_EXCEEDED' }],
  });
  expect((await chat(keys[0]!, FREE_REQUEST)).status).toBe(200);
});

it('does not apply to calls with a provider key of the project', async () => {
  await setLimit({ projectId: project, limitUsd: '0' });
  const refused = await chat(service.key, PAID_REQUEST, project);
  expect(refused).toMatchObject({ status: 402, body: { error: { code: 'budget_exceeded' } } });
  expect(refused.body.error.message).toMatch(/^The project may not use the provider keys of the service\. Attach a/);
  expect((await chat(service.key, FREE_REQUEST, project)).status).toBe(200);
  await attachKey(project);
  expect((await chat(service.key, PAID_REQUEST, project)).status).toBe(200);
  await eventually(
    () =>
      service.sql('select service_usd from billing_transaction where project_id = $1 and amount_usd > 0', [project]),
    rows => rows.length === 1 && rows[0]!.service_usd === null,
  );
  await settled('project', project, '0');
});

async function run(graph = paidGraph()) {
  const body = { project, title: 'Paid', data: graph };
  const workflow = (await service.rest('POST', '/api/v1/workflows/', { body })).body.id;
  const started = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
  return eventually(
    async () => (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${started.body.data.id}`)).body.data,
    ({ status }) => status === 'succeed' || status === 'failed',
  );
}

it('limits runs of workflows, of scenarios and of keywords', async () => {
  await setLimit({ projectId: project, limitUsd: CALL_USD });
  expect((await run()).status).toBe('succeed');
  expect(await counters('project', project)).toEqual({ spent: CALL_USD, reserved: '0' });
  const failed = await run();
  expect(failed.status).toBe('failed');
  expect(JSON.stringify(failed)).toContain('operator limit of the project');

  const topic = await service.rest('POST', '/api/v1/keywordruns/', { body: { project, topic: 'green tea' } });
  const keywords = await eventually(
    async () => (await service.rest('GET', `/api/v1/keywordruns/${topic.body.id}/`)).body,
    ({ status }) => status === 'finished' || status === 'error',
  );
  expect(keywords.error).toContain('operator limit of the project');

  const prompt = await parts.prompt(project, { content: 'Hi' });
  const message = await parts.message(project, { prompts: [prompt.id], parameters: { model_name: 'gpt-4o-mini' } });
  const scenario = await parts.scenario(project, { messages: [message.id] });
  const started = await service.rest('POST', '/api/v1/scenarioruns/run/', { body: { scenario: scenario.id } });
  const ended = await eventually(
    async () => (await service.rest('GET', `/api/v1/scenarioruns/${started.body.id}/`)).body,
    ({ status }) => status !== 'created' && status !== 'in_progress',
  );
  expect(ended.status).toBe('error');
  expect(upstream.requests).toHaveLength(1);

  await attachKey(project);
  const own = await run();
  expect(own.status).toBe('succeed');
  expect(await counters('project', project)).toEqual({ spent: CALL_USD, reserved: '0' });
});

it('counts for the user the cost of runs in all projects, also of deleted ones', async () => {
  const [before] = await service.sql('select id from app_user where is_admin order by id limit 1');
  const spentBefore = Number((await counters('app_user', before!.id)).spent);
  expect((await run()).status).toBe('succeed');
  const spent = Number((await counters('app_user', before!.id)).spent);
  expect(spent - spentBefore).toBeCloseTo(Number(CALL_USD), 12);
  await setLimit({ userId: before!.id, limitUsd: '100' });
  await setLimit({ projectId: project, limitUsd: '100' });
  const id = await new Budget(database).reserve(project, randomUUID(), '2', undefined, { userId: before!.id });
  expect(id).not.toBeNull();
  expect((await service.rest('DELETE', `/api/v1/projects/${project}/`)).status).toBeLessThan(300);
  expect(await counters('app_user', before!.id)).toEqual({ spent: String(spent), reserved: '0' });
  await setLimit({ userId: before!.id, limitUsd: null });
});

it('is set by administrators only, shown to users and members, and recorded', async () => {
  const ann = await user();
  const made = await service.rest('POST', '/api/v1/projects/', { key: ann.key, body: { name: 'Ann' } });
  const mine = made.body.id as number;
  const shown = () =>
    service.graphql(
      'query ($id: Int!) { me { operatorLimit { limit { usd } } } project(id: $id) { operatorLimit { limit { usd } isDefault } } }',
      { id: mine },
      ann.key,
    );
  expect((await shown()).data).toEqual({ me: { operatorLimit: null }, project: { operatorLimit: null } });
  expect((await setLimit({ projectId: mine, limitUsd: '5' })).data.operatorLimitSet.operatorLimit).toEqual({
    limit: { usd: '5' },
    isDefault: false,
    spent: { usd: '0' },
    reserved: { usd: '0' },
    remaining: { usd: '5' },
  });
  await setLimit({ userId: ann.id, limitUsd: '3' });
  expect((await shown()).data).toEqual({
    me: { operatorLimit: { limit: { usd: '3' } } },
    project: { operatorLimit: { limit: { usd: '5' }, isDefault: false } },
  });
  for (const input of [{ projectId: mine }, { userId: ann.id }]) {
    const { errors } = await setLimit({ ...input, limitUsd: null }, ann.key);
    expect(errors![0]!.extensions.code).toBe('FORBIDDEN');
  }
  const both = `mutation { operatorLimitSet(input: { holder: { userId: 1, projectId: 1 }, limitUsd: "1" }) { __typename } }`;
  const literal = await service.graphql(both);
  expect(literal.errors).toMatchObject([
    {
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      message: 'OneOf Input Object "OperatorLimitHolderInput" must specify exactly one key.',
    },
  ]);
  const holders = [{}, { userId: ann.id, projectId: mine }, { userId: null }, { userId: null, projectId: mine }];
  for (const input of [...holders, { userId: ann.id, limitUsd: '-1' }]) {
    const { errors } = await setLimit({ limitUsd: '1', ...input });
    expect(errors![0]!.extensions.code).toBe('BAD_USER_INPUT');
  }
  expect((await setLimit({ userId: ann.id })).errors![0]!.extensions.code).toBe('BAD_USER_INPUT');
  expect((await setLimit({ userId: 2_000_000_000, limitUsd: '1' })).errors![0]!.extensions.code).toBe('NOT_FOUND');
  const entries = await service.sql(
    `select action, object_id, project_id, detail from audit_entry where action like '%operator-limit' and object_id = any($1)
      order by id desc limit 2`,
    [[String(mine), String(ann.id)]],
  );
  expect(entries).toEqual([
    { action: 'user.set-operator-limit', object_id: String(ann.id), project_id: null, detail: { limitUsd: '3' } },
    { action: 'project.set-operator-limit', object_id: String(mine), project_id: mine, detail: { limitUsd: '5' } },
  ]);
});

it('has defaults for users and projects without a limit of their own', async () => {
  const limited = await startTestService({
    openai: { baseUrl: upstream.url, apiKey: 'sk-service-0123456789' },
    defaultLimits: { userUsd: '0', projectUsd: '5' },
  });
  try {
    const ann = await limited.createUser('ann');
    const [row] = await limited.sql('select id from app_user where email = $1', [ann.email]);
    const refused = await chat(ann.key, PAID_REQUEST, undefined, limited);
    expect(refused.status).toBe(402);
    expect(refused.body.error.message).toMatch(/^The user may not use the provider keys of the service\./);
    const me = '{ me { operatorLimit { limit { usd } isDefault } } }';
    expect((await limited.graphql(me, {}, ann.key)).data.me.operatorLimit).toEqual({
      limit: { usd: '0' },
      isDefault: true,
    });
    const input = { holder: { userId: row!.id }, limitUsd: '1' };
    expect((await limited.graphql(SET, { input })).errors).toBeUndefined();
    expect((await chat(ann.key, PAID_REQUEST, undefined, limited)).status).toBe(200);
    const unpriced = { ...PAID_REQUEST, model: 'custom-model-7b' };
    expect((await chat(ann.key, unpriced, undefined, limited)).status).toBe(200);
    expect((await limited.graphql(SET, { input: { ...input, limitUsd: null } })).errors).toBeUndefined();
    expect((await chat(ann.key, unpriced, undefined, limited)).status).toBe(402);
  } finally {
    await limited.stop();
  }
});
