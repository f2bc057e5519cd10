import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WorkflowRunFilter } from '../../src/modules/workflow-runs/history/run-filter.inputs.js';
import { RunLists } from '../../src/modules/workflow-runs/history/run-lists.js';
import { WorkflowRunOrder } from '../../src/modules/workflow-runs/history/workflow-run.inputs.js';
import { ADMIN_EMAIL } from '../support/config.js';
import { chain, field, output, trigger } from '../support/graphs.js';
import { pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let key: string;
let outsider: string;
let project: number;
let workflow: number;

const DAYS = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'];
const SECOND_DAY = 'createdAfter: "2026-01-02T00:00:00Z", createdBefore: "2026-01-03T00:00:00Z"';

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  ({ key } = await service.createUser('owner'));
  ({ key: outsider } = await service.createUser('outsider'));
  const make = async (path: string, body: unknown) =>
    (await service.rest('POST', `/api/v1/${path}/`, { key, body })).body.id as number;
  project = await make('projects', { name: 'b' });
  await make('projects', { name: 'a' });
  workflow = await make('workflows', { project, title: 'two', data: pureGraph(), category: 1 });
  const bookmarked = await make('workflows', { project, title: 'one', data: pureGraph() });
  await service.sql(`update workflow set available_languages = '{en,de}' where id = $1`, [bookmarked]);
  await service.graphql(`mutation { workflowBookmarkAdd(id: ${bookmarked}) { errors { code } } }`, {}, key);
  await make('variables', { project, key: 'global', is_global: true, variable_names: [{ name: 'a' }] });
  await make('variables', { project, key: 'local', variable_names: [{ name: 'a' }] });
  await make('prompts', { project, key: 'user', role: 'user', content: 'x' });
  await make('prompts', { project, key: 'system', role: 'system', content: 'x' });
  for (const category of [1, 2])
    await make('scenarios', {
      project,
      name: `of ${category}`,
      category,
      run_fee: 0,
      free_runs_per_user: 0,
      messages: [],
    });
  await service.sql(ROWS.replaceAll(':project', String(project)).replaceAll(':workflow', String(workflow)));
});
afterAll(() => service?.stop());

/** One item of each state or type per day, without a worker or a file. */
const ROWS = `
  with days as (select day, n from unnest('{${DAYS.join(',')}}'::timestamptz[]) with ordinality as d(day, n)),
  runs as (
    insert into workflow_run (id, project_id, workflow_id, revision_id, state, cost_usd, created_at)
    select gen_random_uuid(), :project, :workflow, revision_id, (array['succeeded', 'failed', 'draft'])[n], n, day
      from days, workflow where id = :workflow returning id, created_at),
  ledger as (
    insert into billing_transaction (project_id, run_id, node_id, operation, status, amount_usd, created_at)
    select :project, id, 'node', case when created_at > '${DAYS[1]}' then 'http-node' else 'basic-node' end,
           case when created_at > '${DAYS[0]}' then 'Success' else 'Error' end, 1, created_at from runs),
  chat as (
    insert into billing_transaction (project_id, run_id, node_id, operation, status, amount_usd, created_at)
    select :project, gen_random_uuid(), '', 'chat-completion', 'Success', 1, day from days),
  documents as (
    insert into document (project_id, key, filename, result_file, content_type, size, sha256, created_at)
    select :project, '', (array['b', 'c', 'a'])[n], gen_random_uuid(),
           (array['image/png', 'application/pdf', 'image/jpeg'])[n], 10 - n, '\\x00', day from days returning id),
  recognitions as (
    insert into recognition_run (project_id, document_id, chunk_size, state, created_at)
    select :project, (select min(id) from documents), 500, (array['created', 'finished', 'error'])[n], day from days returning id),
  chunks as (
    insert into recognition_chunk (run_id, index, text, tokens, is_enabled)
    select (select min(id) from recognitions), n, 'text ' || n, 1, n = 2 from days),
  searches as (
    insert into keyword_run (project_id, topic, preset, status, created_at)
    select :project, 'topic', 1, (array['created', 'finished', 'error'])[n], day from days returning id),
  clusters as (
    insert into keyword_cluster (run_id, name, position) select min(id), 'cluster', 0 from searches returning id),
  keywords as (
    insert into keyword (project_id, keywordrun_id, keyword_cluster_id, name, volume, is_enabled)
    select :project, (select min(id) from searches), case when n = 1 then (select id from clusters) end,
           (array['beta', 'gamma', 'alpha'])[n], nullif(n, 1), n <> 2 from days)
  insert into scenario_run (billing_id, project_id, status, created_at)
  select gen_random_uuid(), :project, (array['created', 'finished', 'error'])[n], day from days`;

/** One member of all items; checks that the total is their number. */
async function listItems(list: string, member: string, as = key): Promise<unknown[]> {
  const { data, errors } = await service.graphql(`{ list: ${list} { total items { value: ${member} } } }`, {}, as);
  if (errors) return [errors[0]!.extensions.code, ...Object.keys(errors[0]!.extensions.fields ?? {})];
  const values = data.list.items.map(({ value }: { value: unknown }) => value);
  expect(data.list.total).toBe(values.length);
  return values;
}

const P = 'PROJECT';
const W = 'WORKFLOW';
const lists: [list: string, member: string, values: unknown[]][] = [
  [`workflowRuns(workflowId: ${W})`, 'state', ['DRAFT', 'FAILED', 'SUCCEEDED']],
  [`workflowRuns(workflowId: ${W}, filter: { states: [FAILED, DRAFT] })`, 'state', ['DRAFT', 'FAILED']],
  [`workflowRuns(workflowId: ${W}, filter: {})`, 'state', ['DRAFT', 'FAILED', 'SUCCEEDED']],
  [`workflowRuns(workflowId: ${W}, filter: { tags: null })`, 'state', ['DRAFT', 'FAILED', 'SUCCEEDED']],
  [`workflowRuns(workflowId: ${W}, filter: { states: [] })`, 'state', []],
  [`workflowRuns(workflowId: ${W}, filter: { ${SECOND_DAY} })`, 'state', ['FAILED']],
  [
    `workflowRuns(workflowId: ${W}, filter: { states: [FAILED, SUCCEEDED] }, order: COST_DESC)`,
    'state',
    ['FAILED', 'SUCCEEDED'],
  ],
  [`workflowRuns(workflowId: ${W}, filter: { minCost: "2" })`, 'state', ['DRAFT', 'FAILED']],
  [`workflowRuns(filter: { projectId: ${P}, minCost: "1.5", maxCost: "2" })`, 'state', ['FAILED']],
  [`workflowRuns(filter: { projectId: ${P}, maxCost: "-1" })`, 'state', ['BAD_USER_INPUT', 'maxCost']],
  [`workflowRuns(filter: { projectId: ${P} })`, 'state', ['DRAFT', 'FAILED', 'SUCCEEDED']],
  [`workflowRuns(filter: { projectId: ${P}, states: SUCCEEDED }, order: CREATED_AT_ASC)`, 'state', ['SUCCEEDED']],
  [`workflowRuns(filter: { projectId: ${P} }, order: COST_ASC)`, 'state', ['BAD_USER_INPUT', 'order']],
  ['workflowRuns(filter: { states: FAILED })', 'state', ['BAD_USER_INPUT', 'workflowId']],
  [`billingTransactions(projectId: ${P}, filter: { ${SECOND_DAY} })`, 'status', ['SUCCEEDED', 'SUCCEEDED']],
  [`billingTransactions(projectId: ${P}, filter: { operation: "basic-node" })`, 'status', ['SUCCEEDED', 'FAILED']],
  [`billingTransactions(projectId: ${P}, filter: { status: FAILED })`, 'operation', ['basic-node']],
  ['billingTransactions', 'status', ['BAD_USER_INPUT', 'runId']],
  [`chatTransactions(projectId: ${P}, filter: { ${SECOND_DAY} })`, 'createdAt', ['2026-01-02T00:00:00.000Z']],
  ['documents(filter: { contentType: "image/" })', 'filename', ['a', 'b']],
  ['documents(filter: { contentType: "application/pdf" })', 'filename', ['c']],
  ['documents(order: FILENAME_ASC)', 'filename', ['a', 'b', 'c']],
  ['documents(order: SIZE_DESC)', 'filename', ['b', 'c', 'a']],
  ['documents(filter: { minSize: 8 })', 'filename', ['c', 'b']],
  ['documents(filter: { minSize: 8, maxSize: 8 })', 'filename', ['c']],
  ['documents(filter: { maxSize: -1 })', 'filename', ['BAD_USER_INPUT', 'maxSize']],
  [`documents(filter: { ${SECOND_DAY} })`, 'filename', ['c']],
  ['recognitionRuns(filter: { statuses: [SUCCEEDED, FAILED] })', 'status', ['FAILED', 'SUCCEEDED']],
  [`recognitionRuns(filter: { ${SECOND_DAY} })`, 'status', ['SUCCEEDED']],
  ['keywordRuns(filter: { statuses: QUEUED })', 'status', ['QUEUED']],
  [`keywordRuns(filter: { ${SECOND_DAY} })`, 'status', ['SUCCEEDED']],
  ['keywords(order: NAME_ASC)', 'name', ['alpha', 'beta', 'gamma']],
  ['keywords(order: VOLUME_DESC)', 'name', ['alpha', 'gamma', 'beta']],
  ['keywords(filter: { isEnabled: false })', 'name', ['gamma']],
  ['keywords(filter: { isEnabled: true, nameContains: "ALPH" })', 'name', ['alpha']],
  ['keywords(filter: { keywordClusterId: 1 })', 'name', ['beta']],
  ['keywords(filter: { keywordClusterId: 1 }, order: NAME_DESC)', 'name', ['beta']],
  ['scenarioRuns(filter: { statuses: [FAILED] })', 'status', ['FAILED']],
  [`scenarioRuns(filter: { projectId: ${P}, ${SECOND_DAY} })`, 'status', ['SUCCEEDED']],
  ['projects(order: NAME_ASC)', 'name', ['a', 'b']],
  ['projects(order: CREATED_AT_ASC)', 'name', ['b', 'a']],
  ['workflows(order: TITLE_ASC)', 'title', ['one', 'two']],
  ['workflows(order: UPDATED_AT_ASC)', 'title', ['two', 'one']],
  ['workflows', 'title', ['two', 'one']],
  ['workflows(filter: { categoryIds: [1] })', 'title', ['two']],
  ['workflows(filter: { categoryIds: [] })', 'title', []],
  ['workflows(filter: { isPublished: true })', 'title', []],
  ['workflows(filter: { languages: ["pt-BR", "de"] })', 'title', ['one']],
  ['workflows(filter: { languages: [] })', 'title', []],
  ['workflows(bookmarkedFirst: true)', 'title', ['one', 'two']],
  ['workflows(bookmarkedFirst: true, order: TITLE_DESC, filter: { titleContains: "o" })', 'title', ['one', 'two']],
  ['workflows', 'isBookmarked', [false, true]],
  ['scenarios(filter: { categoryIds: [2] })', 'name', ['of 2']],
  ['prompts(filter: { role: SYSTEM })', 'key', ['system']],
  ['variables(filter: { isGlobal: true })', 'key', ['global']],
];

/** Filters of runs without a set member. */
const WITHOUT_CONDITIONS: (WorkflowRunFilter | null | undefined)[] = [undefined, null, {}, { states: null }];

const written = (list: string) => list.replaceAll(P, String(project)).replaceAll(W, String(workflow));

describe('lists are filtered and ordered', () => {
  it.each(lists)('%s', async (list, member, values) => {
    expect(await listItems(written(list), member)).toEqual(values);
  });

  it('runs of no workflow and no project are refused with the name of the missing member', async () => {
    const { errors } = await service.graphql('{ workflowRuns(filter: { states: FAILED }) { total } }', {}, key);
    expect(errors?.[0]?.extensions.fields).toEqual({ workflowId: ['This or filter.projectId is required.'] });
  });

  it('recognitionChunks by whether searches find them', async () => {
    const [run] = await service.sql('select min(id) as id from recognition_run');
    expect(await listItems(`recognitionChunks(recognitionRunId: ${run!.id}, isEnabled: true)`, 'text')).toEqual([
      'text 2',
    ]);
  });

  it('runs within a workflow and within a project, each list separately', async () => {
    const { data } = await service.graphql(
      `query ($project: Int!, $workflow: Int!) {
        project(id: $project) { workflowRuns(filter: { states: [FAILED, DRAFT] }) { total items { state project { id } } } }
        workflow(id: $workflow) {
          failed: runs(filter: { states: FAILED, ${SECOND_DAY} }) { total items { state billingTransactions { total } } }
          dear: runs(order: COST_DESC, size: 1) { total size items { state } }
          second: runs(order: COST_DESC, size: 1, page: 2) { items { state } } } }`,
      { project, workflow },
      key,
    );
    expect(data.project.workflowRuns).toEqual({
      total: 2,
      items: ['DRAFT', 'FAILED'].map(state => ({ state, project: { id: project } })),
    });
    expect(data.workflow).toEqual({
      failed: { total: 1, items: [{ state: 'FAILED', billingTransactions: { total: 1 } }] },
      dear: { total: 3, size: 1, items: [{ state: 'DRAFT' }] },
      second: { items: [{ state: 'FAILED' }] },
    });
    const { errors } = await service.graphql(`{ project(id: ${project}) { workflows(size: 101) { total } } }`, {}, key);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: { size: [expect.any(String)] } });
  });

  it.each(WITHOUT_CONDITIONS)('runs of a workflow by the prepared query if the filter is %j', async filter => {
    const page = { page: 1, size: 10, total: 0, items: [] };
    // Without a database, any other query throws.
    const lists = new RunLists(undefined as never, undefined as never, { list: async () => page }, 1);
    const requested = { filter, order: WorkflowRunOrder.CREATED_AT_DESC };
    expect(await lists.list(undefined as never, 1, requested, { page: 1, size: 10 })).toBe(page);
  });

  it('users and the audit log for administrators', async () => {
    const users = await service.graphql('{ users(filter: { search: "OWNER" }) { total items { email } } }');
    expect(users.data.users).toEqual({ total: 1, items: [{ email: 'owner@example.com' }] });
    const administrators = await service.graphql('{ users(filter: { isAdmin: true }) { items { email } } }');
    expect(administrators.data.users.items).toEqual([{ email: ADMIN_EMAIL }]);
    const body = { project, title: 'deleted', data: pureGraph() };
    const { id } = (await service.rest('POST', '/api/v1/workflows/', { key, body })).body;
    await service.rest('DELETE', `/api/v1/workflows/${id}/`);
    const log = await service.graphql(
      '{ auditLog(filter: { action: "workflow.delete" }) { total items { objectId } } }',
    );
    expect(log.data.auditLog).toEqual({ total: 1, items: [{ objectId: String(id) }] });
  });
});

describe('a page past the end', () => {
  const PARTS = ['variables', 'prompts', 'scenarios'];
  it.each([
    ...['projects', 'documents', 'keywords', 'keywordRuns', 'scenarioRuns', 'recognitionRuns', 'workflows', ...PARTS],
    ...['documents(filter: { contentType: "image/" }', 'workflows(filter: { titleContains: "one" }'],
  ])('of %s has no items and the total', async list => {
    const call = (page: number) => `${list}${list.includes('(') ? ', ' : '('}page: ${page})`;
    for (const as of [key, undefined]) {
      const { data } = await service.graphql(
        `{ first: ${call(1)} { total items { id } } past: ${call(1_000)} { total items { id } } }`,
        {},
        as,
      );
      expect(data.first.total).toBe(data.first.items.length);
      expect(data.first.total).toBeGreaterThan(0);
      expect(data.past).toEqual({ total: data.first.total, items: [] });
    }
  });
});

describe('outsiders', () => {
  it.each([
    ['workflowRuns(filter: { projectId: PROJECT })', ['BAD_USER_INPUT', 'projectId']],
    ['workflowRuns(workflowId: WORKFLOW, filter: {})', ['NOT_FOUND']],
    ['billingTransactions(projectId: PROJECT)', ['NOT_FOUND']],
    ['scenarioRuns(filter: { projectId: PROJECT })', ['BAD_USER_INPUT', 'projectId']],
    ['keywords(filter: { keywordClusterId: 1 })', []],
  ])('find nothing in %s', async (list, values) => {
    expect(await listItems(written(list), 'createdAt', outsider)).toEqual(values);
  });
});

describe('tags and texts of runs', () => {
  const LIST = `query ($filter: WorkflowRunFilter!) { workflowRuns(filter: $filter) { total items { id tags } } }`;
  const SET = `mutation ($id: UUID!, $tags: [String!]!) {
    workflowRunTagsSet(id: $id, tags: $tags) { workflowRun { tags } errors { code } } }`;
  const START = `mutation ($id: Int!, $input: JSON, $tags: [String!], $key: String) {
    workflowRunStart(workflowId: $id, input: $input, tags: $tags, idempotencyKey: $key) { run { id tags } errors { code } } }`;
  const find = async (filter: object) =>
    (await service.graphql(LIST, { filter: { projectId: project, ...filter } }, key)).data.workflowRuns;
  let tagged: number;
  beforeAll(async () => {
    const body = { project, title: 'tagged', data: chain(trigger(field('topic')), output('{{ input.topic }}')) };
    tagged = (await service.rest('POST', '/api/v1/workflows/', { key, body })).body.id;
  });
  const start = async (topic: string, tags: string[], idempotency?: string) =>
    (await service.graphql(START, { id: tagged, input: { topic }, tags, key: idempotency }, key)).data.workflowRunStart
      .run;

  it('are set at the start, once for a repeated call, and replaced later', async () => {
    const first = await start('100% "cotton" socks', [' red ', 'blue', 'red'], 'tags-1');
    expect(first.tags).toEqual(['blue', 'red']);
    expect(await start('100% "cotton" socks', ['red', 'blue'], 'tags-1')).toEqual(first);
    const second = await start('wool hats', ['red']);
    expect((await find({ tags: ['red'] })).total).toBe(2);
    expect((await find({ tags: ['red', 'blue'] })).items).toEqual([{ id: first.id, tags: ['blue', 'red'] }]);
    expect((await find({ tags: ['none'] })).total).toBe(0);
    const { data } = await service.graphql(SET, { id: second.id, tags: ['green'] }, key);
    expect(data.workflowRunTagsSet).toEqual({ workflowRun: { tags: ['green'] }, errors: [] });
    expect((await find({ tags: ['green'] })).items).toEqual([{ id: second.id, tags: ['green'] }]);
    const [entry] = await service.sql(
      `select detail from audit_entry where action = 'workflow-run.tag' and object_id = $1 order by id desc`,
      [second.id],
    );
    expect(entry!.detail).toEqual({ tags: ['green'] });
  });

  it('find inputs without regard to case, wildcards and quotes, and ids by their start and end', async () => {
    const { id } = await start('50% Linen_shirts', []);
    expect((await find({ text: 'linen_SHIRTS' })).items.map((run: { id: string }) => run.id)).toEqual([id]);
    expect((await find({ text: '"COTTON"' })).total).toBe(1);
    expect((await find({ text: 'linen%shirts' })).total).toBe(0);
    expect((await find({ text: id.slice(0, 30).toUpperCase() })).total).toBe(1);
    expect((await find({ text: id.slice(-8).toUpperCase() })).items.map((run: { id: string }) => run.id)).toEqual([id]);
    expect((await find({ text: id.slice(-20, -8) })).total).toBe(0);
  });

  it('find expired runs only by their id', async () => {
    const { id } = await start('expired velvet', []);
    expect((await find({ text: 'expired velvet' })).total).toBe(1);
    await service.sql(
      `update workflow_run set state = 'succeeded', run_finished_at = now() - interval '31 days' where id = $1`,
      [id],
    );
    const found = async (text: string) => (await find({ text })).items.map((run: { id: string }) => run.id);
    expect(await found('expired velvet')).toEqual([]);
    expect(await found(id)).toEqual([id]);
    await service.sql('delete from workflow_run_payload where run_id = $1', [id]);
    expect(await found(id.slice(-8))).toEqual([id]);
  });

  it('are refused with a reason', async () => {
    const { data } = await service.graphql(SET, { id: (await start('x', [])).id, tags: ['', 'a'.repeat(65)] }, key);
    expect(data.workflowRunTagsSet.errors).toEqual([{ code: 'BAD_USER_INPUT' }, { code: 'BAD_USER_INPUT' }]);
    const { errors } = await service.graphql(LIST, { filter: { projectId: project, text: 'x' } }, key);
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    const other = await service.graphql(SET, { id: (await start('y', [])).id, tags: ['a'] }, outsider);
    expect(other.data.workflowRunTagsSet).toBeNull();
  });
});
