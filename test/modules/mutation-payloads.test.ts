import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getNamedType, isNonNullType, isObjectType } from 'graphql';
import { buildScenariumSchema } from '../../src/graphql/schema.js';
import { chain, node, output, trigger } from '../support/graphs.js';
import { pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';

const ERRORS = 'errors { __typename code message path }';
const schema = buildScenariumSchema(
  () => ({}),
  () => undefined,
);

let service: TestService;
let project: number;
const ask = (query: string, variables?: Record<string, unknown>) => service.graphql(query, variables);

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Payloads' } })).body.id;
});
afterAll(() => service?.stop());

const save = async (data: unknown): Promise<number> =>
  (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body.id;

describe('the schema', () => {
  const mutations = Object.values(schema.getMutationType()!.getFields());

  it('has a nullable payload for every mutation, with its result, errors and warnings', () => {
    const odd = mutations.filter(({ name, type }) => {
      const payload = getNamedType(type);
      const expected = `${name[0]!.toUpperCase()}${name.slice(1)}Payload`;
      if (isNonNullType(type) || !isObjectType(payload) || payload.name !== expected) return true;
      const { errors, warnings, ...results } = payload.getFields();
      const [result] = Object.values(results);
      const lists = [String(errors?.type), String(warnings?.type)];
      return !result || isNonNullType(result.type) || lists.join() !== '[MutationError!]!,[Warning!]!';
    });
    expect(odd.map(({ name }) => name)).toEqual([]);
    expect(mutations.length).toBeGreaterThan(90);
  });

  it('has nullable root fields for objects that are read by id', () => {
    const lookups = Object.values(schema.getQueryType()!.getFields()).filter(
      ({ args, type }) =>
        args.some(({ name }) => ['id', 'slug'].includes(name)) &&
        !/Page!$|\]!$/.test(String(type)) &&
        isNonNullType(type),
    );
    expect(lookups.map(({ name }) => name)).toEqual([]);
  });
});

describe('a refused mutation', () => {
  it('has one error for each message about the input', async () => {
    const { data, errors } = await ask(
      `mutation { projectCreate(input: { name: " ", webhookUrl: "ftp://x" }) { project { id } ${ERRORS} warnings { code } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.projectCreate).toEqual({
      project: null,
      errors: [
        { __typename: 'InputError', code: 'BAD_USER_INPUT', message: 'This field may not be blank.', path: ['name'] },
        {
          __typename: 'InputError',
          code: 'BAD_USER_INPUT',
          message: expect.stringContaining('http or https URL'),
          path: ['webhookUrl'],
        },
      ],
      warnings: [],
    });
  });

  it('has a ConflictError for a state that does not permit it', async () => {
    const { data } = await ask(`mutation ($id: UUID!) { workflowRunRelease(id: $id) { run { id } ${ERRORS} } }`, {
      id: (await service.rest('POST', `/api/v1/workflows/${await save(pureGraph())}/run/`, { body: {} })).body.data.id,
    });
    expect(data.workflowRunRelease).toEqual({
      run: null,
      errors: [{ __typename: 'ConflictError', code: 'CONFLICT', message: 'Only a draft can be released.', path: [] }],
    });
  });

  it('has a PublishRefusedError for each missing requirement', async () => {
    const { data } = await ask(
      `mutation ($id: Int!) { workflowPublish(id: $id) { workflow { id } errors { path ... on PublishRefusedError { requirement } } } }`,
      { id: await save(pureGraph()) },
    );
    expect(data.workflowPublish).toEqual({
      workflow: null,
      errors: [
        { path: ['marketTitle'], requirement: 'MARKET_TITLE' },
        { path: ['shortDescription'], requirement: 'SHORT_DESCRIPTION' },
        { path: ['availableLanguages'], requirement: 'LANGUAGES' },
        { path: ['useAsMarketplaceTemplate'], requirement: 'TEMPLATE_RUN' },
      ],
    });
  });

  it('has a RunRefusedError together with the receipt of the refused run', async () => {
    const start = `mutation ($id: Int!) { workflowRunStart(workflowId: $id) {
      receipt { status } run { state } errors { code path ... on RunRefusedError { status issues { code nodeId path } } } } }`;
    const invalid = await save(chain(trigger(), node('delay-node', { seconds: -1 }, 'wait'), output()));
    const { data } = await ask(start, { id: invalid });
    const [issue] = data.workflowRunStart.errors[0].issues;
    expect(data.workflowRunStart).toEqual({
      receipt: { status: 422 },
      run: { state: 'FAILED' },
      errors: [{ code: 'BAD_USER_INPUT', path: [], status: 422, issues: [issue] }],
    });
    expect(issue).toEqual({ code: 'invalid_setting', nodeId: expect.any(String), path: 'seconds' });
    const malformed = await ask(start, { id: await save({ nodes: [], edges: [] }) });
    expect(malformed.data.workflowRunStart).toMatchObject({
      receipt: { status: 400 },
      errors: [{ status: 400, issues: [{ nodeId: null, path: null }] }],
    });
  });

  it('has a RunRefusedError with all faults of the structure and the codes of the check', async () => {
    const start = `mutation ($id: Int!) { workflowRunStart(workflowId: $id) {
      errors { ... on RunRefusedError { issues { code nodeId edgeId path message } } } } }`;
    const check = `query ($data: JSON!) { workflowCheck(data: $data) { issues { code nodeId edgeId path message severity } } }`;
    const good = chain(trigger(), node('delay-node', { seconds: 1 }, 'wait'), output());
    const structure = {
      ...good,
      nodes: [...good.nodes, node('no-such-node', {}, 'odd')],
      edges: [...good.edges, { id: 'e1', source: 'wait', target: 'x' }, { id: 'e2', source: 'y', target: 'odd' }],
    };
    const settings = chain(
      trigger(),
      node('template-node', { template: '{{nodes.gone}}' }, 'text'),
      node('basic-node', { messages: [{ role: 'user', message: 'x' }], settings: { model_name: 'none' } }, 'ask'),
    );
    const codes = [
      ['unknown_node_type', 'dangling_edge', 'dangling_edge'],
      ['unknown_model', 'unknown_reference'],
    ];
    for (const [index, data] of [structure, settings].entries()) {
      const started = await ask(start, { id: await save(data) });
      const { issues } = started.data.workflowRunStart.errors[0];
      expect(issues.map(({ code }: { code: string }) => code).toSorted()).toEqual(codes[index]!.toSorted());
      const checked = await ask(check, { data });
      const errors = checked.data.workflowCheck.issues.filter(
        (each: { severity: string }) => each.severity === 'ERROR',
      );
      expect(errors.map(({ severity: _, ...issue }: { severity: string }) => issue)).toEqual(issues);
    }
  });

  it('has a BudgetError with the limit, also for a recorded run', async () => {
    const spent = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Spent' } })).body.id;
    await service.sql('update project set budget_usd = 1, total_spent_usd = 1.5 where id = $1', [spent]);
    const chat = `mutation ($request: ChatRequest!, $id: Int!) { chatCompletionCreate(request: $request, projectId: $id) {
      chatCompletion errors { __typename code ... on BudgetError { limitUsd spentUsd } } } }`;
    const request = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] };
    const { data } = await ask(chat, { request, id: spent });
    expect(data.chatCompletionCreate).toEqual({
      chatCompletion: null,
      errors: [{ __typename: 'BudgetError', code: 'BUDGET_EXCEEDED', limitUsd: '1', spentUsd: '1.5' }],
    });
    const { body } = await service.rest('POST', '/api/v1/workflows/', {
      body: { project: spent, title: 'W', data: pureGraph() },
    });
    const run = await ask(
      `mutation ($id: Int!) { workflowRunStart(workflowId: $id, input: { topic: "a" }) { receipt { status } errors { __typename code ... on BudgetError { limitUsd spentUsd } } } }`,
      { id: body.id },
    );
    expect(run.data.workflowRunStart).toMatchObject({
      receipt: { status: 402 },
      errors: [{ __typename: 'BudgetError', code: 'BUDGET_EXCEEDED', limitUsd: '1', spentUsd: '1.5' }],
    });
  });
});

it('an unknown member is a warning of its mutation only', async () => {
  const graph = chain(trigger(), node('delay-node', { seconds: 1, secnds: 2 }, 'wait'), output());
  const create = 'workflowCreate(input: $input) { workflow { id } warnings { code message path } }';
  const { data } = await ask(
    `mutation ($input: WorkflowCreateInput!, $plain: WorkflowCreateInput!) { first: ${create} second: ${create.replace('$input', '$plain')} }`,
    {
      input: { projectId: project, title: 'W', data: graph },
      plain: { projectId: project, title: 'W', data: pureGraph() },
    },
  );
  expect(data.first.warnings).toEqual([
    {
      code: 'unknown_member',
      message: expect.stringContaining('secnds'),
      path: ['data', 'nodes[wait]', 'data', 'secnds'],
    },
  ]);
  expect(data.second.warnings).toEqual([]);
});

describe('two mutations in one operation', () => {
  const two = (second: string) =>
    `mutation { first: projectCreate(input: { name: "Kept" }) { project { id } } ${second} }`;

  it('keep the first when the second is refused', async () => {
    const { data, errors } = await ask(two(`second: projectCreate(input: { name: "" }) { project { id } ${ERRORS} }`));
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ first: { project: { id: expect.any(Number) } }, second: { project: null } });
    expect(data.second.errors).toHaveLength(1);
  });

  it('keep the first when the second fails', async () => {
    const { data, errors } = await ask(two('second: projectDelete(id: 2000000000) { project { id } }'));
    expect(errors).toMatchObject([{ path: ['second'], extensions: { code: 'NOT_FOUND' } }]);
    expect(data).toMatchObject({ first: { project: { id: expect.any(Number) } }, second: null });
  });
});

it('no root field of queries removes the others: all are nullable', async () => {
  const fields = Object.values(schema.getQueryType()!.getFields());
  expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([]);
  const { key } = await service.createUser('reader');
  const query = '{ projects { total } users { total } catalogWorkflows { total } }';
  const { data, errors } = await service.graphql(query, {}, key);
  expect(data).toEqual({ projects: { total: 0 }, users: null, catalogWorkflows: { total: expect.any(Number) } });
  expect(errors).toMatchObject([{ path: ['users'], extensions: { code: 'FORBIDDEN' } }]);
});

it('a missing object does not remove the others', async () => {
  const { data, errors } = await ask(`{ project(id: ${project}) { name } missing: project(id: 2000000000) { name } }`);
  expect(data).toEqual({ project: { name: 'Payloads' }, missing: null });
  expect(errors).toMatchObject([{ path: ['missing'], extensions: { code: 'NOT_FOUND' } }]);
});

it('REST answers refusals with its own statuses and bodies', async () => {
  const refused = await service.rest('POST', '/api/v1/projects/', { body: { name: '' } });
  expect([refused.status, refused.body]).toEqual([400, { name: ['This field may not be blank.'] }]);
});
