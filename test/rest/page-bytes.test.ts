import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { createWorkflow, pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { partsBy } from './scenarios/part-makers.js';

const LIMIT = 100_000;
const SHORTENED_HEADER = 'x-scenarium-shortened';

let service: TestService;
let workflow: number;
const parts = partsBy(
  () => service,
  () => service.key,
);
beforeAll(async () => {
  service = await startTestService({ pageMaxBytes: LIMIT });
});
afterAll(() => service?.stop());

/** Executes a run with an input of this many bytes, which its result contains as well. Returns its id after the end. */
async function createEndedRun(bytes: number): Promise<string> {
  const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, {
    body: { topic: 'x'.repeat(bytes) },
  });
  const poll = () => service.rest('GET', `/api/v1/workflows/workflow_result/?id=${body.data.id}`);
  await eventually(poll, answer => answer.body.data.status === 'succeed', { withinMs: 120_000 });
  return body.data.id;
}

describe('the history', () => {
  beforeEach(async () => {
    workflow = await createWorkflow(service, pureGraph());
  });
  const history = (query = '') => service.rest('GET', `/api/v1/workflows/${workflow}/history/?size=10${query}`);
  const one = async (id: string) => (await service.rest('GET', `/api/v1/workflows/${workflow}/history/${id}/`)).body;

  it('is unchanged while its page fits', async () => {
    for (const bytes of [10, 10_000]) await createEndedRun(bytes);
    const { body, headers } = await history();
    expect(body.items).toHaveLength(2);
    expect(headers.get(SHORTENED_HEADER)).toBeNull();
    for (const item of body.items) expect(item).toEqual(await one(item.id));
  });

  it('shows the newest that fit, names the others, and each of them is complete by its id', async () => {
    const ids = [
      await createEndedRun(10),
      await createEndedRun(60_000),
      await createEndedRun(20_000),
      await createEndedRun(1),
    ];
    const [oldest, large, middle, newest] = ids;
    const { status, body, headers } = await history();
    expect(status).toBe(200);
    expect(body.items.map(({ id }: any) => id)).toEqual([newest, middle, large, oldest]);
    expect(headers.get(SHORTENED_HEADER)).toBe(large);
    const [first, second, shortened, last] = body.items;
    for (const whole of [first, second, last]) expect(whole).toEqual(await one(whole.id));
    const single = await one(large!);
    expect(single.input_data.topic).toHaveLength(60_000);
    // The output is `about ` and the input.
    expect(single.result.output).toHaveLength(60_006);
    expect(shortened).toEqual({ ...single, result: null, data: {}, input_data: {}, input_fields: [] });
    expect((await history('&page=3&size=1')).headers.get(SHORTENED_HEADER)).toBeNull();
  });

  it('limits what the database returns and what the answer contains, however large the runs are', async () => {
    const id = await createEndedRun(10);
    await service.sql(
      `update workflow_run_payload set result = json_build_object('data', null, 'output', repeat('y', 3000000)) where run_id = $1`,
      [id],
    );
    for (let n = 0; n < 3; n++)
      await service.sql(
        `with copy as (
           insert into workflow_run (id, project_id, workflow_id, revision_id, state, run_started_at, run_finished_at)
           select gen_random_uuid(), project_id, workflow_id, revision_id, state, now(), now() from workflow_run where id = $1
           returning id, created_at)
         insert into workflow_run_payload (run_id, run_created_at, input, result)
         select c.id, c.created_at, p.input, p.result from copy c, workflow_run_payload p where p.run_id = $1`,
        [id],
      );
    const { body, headers } = await history();
    expect(headers.get(SHORTENED_HEADER)?.split(', ')).toHaveLength(4);
    expect(JSON.stringify(body).length).toBeLessThan(LIMIT);
    expect((await one(id)).result.output).toHaveLength(3_000_000);
  });

  it('reports in GraphQL which runs are shortened, in every list', async () => {
    const ids = [await createEndedRun(60_000), await createEndedRun(10)];
    const { data } = await service.graphql(
      `query ($id: Int!) { workflow(id: $id) { runs { items { id isShortened result inputData nodes { id: nodeId } } } } }`,
      { id: workflow },
    );
    expect(data.workflow.runs.items).toEqual([
      expect.objectContaining({ id: ids[1], isShortened: false, result: expect.anything() }),
      { id: ids[0], isShortened: true, result: null, inputData: {}, nodes: [] },
    ]);
  });
});

it('a page of workflows leaves out the graphs that do not fit', async () => {
  const graph = { ...pureGraph(), note: 'z'.repeat(60_000) };
  const project = await parts.project();
  const made: number[] = [];
  for (const data of [graph, graph, pureGraph()])
    made.push((await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body.id);
  const { body, headers } = await service.rest('GET', `/api/v1/workflows/?project=${project}`);
  expect(headers.get(SHORTENED_HEADER)).toBe(String(made[1]));
  expect(body.items.map(({ data }: any) => Object.keys(data).length > 0)).toEqual([true, false, true]);
  const single = await service.rest('GET', `/api/v1/workflows/${made[1]}/`);
  expect(single.headers.get(SHORTENED_HEADER)).toBeNull();
  expect(single.body.data.note).toHaveLength(60_000);
});

it('a page of chunks, scenario runs or webhook deliveries leaves out what does not fit', async () => {
  const project = await parts.project();
  const [ids] = await service.sql(
    `with document as (
       insert into document (project_id, key, filename, result_file, content_type, size, sha256)
       values ($1, 'k', 'f', 'stored', 'text/plain', 1, '\\x00') returning id),
     run as (insert into recognition_run (project_id, document_id, state, chunk_size) select $1, id, 'finished', 50 from document returning id),
     chunks as (insert into recognition_chunk (run_id, index, text, tokens)
       select run.id, n, repeat('t', case when n = 1 then 10 else 60000 end), 1 from run, generate_series(1, 3) n returning id),
     scenario as (
       insert into scenario_run (billing_id, project_id, status, final_result, finished_at, created_at)
       select gen_random_uuid(), $1, 'finished', repeat('r', 60000), now(), now() - n * interval '1 second' from generate_series(1, 2) n returning id),
     delivery as (
       insert into webhook_delivery (id, project_id, url, is_to_project, type, body, state, next_at, created_at)
       select gen_random_uuid(), $1, 'http://x', true, 't', json_build_object('b', repeat('b', 60000)), 'failed', null, now() - n * interval '1 second'
         from generate_series(1, 2) n returning id)
     select (select id from run) as run`,
    [project],
  );
  const chunks = await parts.call('GET', `recognitionrun-chunks/?recognitionrun=${ids!.run}`);
  expect(chunks.body.items.map(({ text }: any) => text.length)).toEqual([10, 60_000, 0]);
  const left = chunks.body.items[2].id;
  expect(chunks.headers.get(SHORTENED_HEADER)).toBe(String(left));
  expect((await parts.call('GET', `recognitionrun-chunks/${left}/`)).body.text).toHaveLength(60_000);

  const runs = await service.graphql(
    'query ($p: Int!) { scenarioRuns(filter: { projectId: $p }) { items { id isShortened finalResult } } }',
    { p: project },
  );
  const [shown, cut] = runs.data.scenarioRuns.items;
  expect(shown).toMatchObject({ isShortened: false, finalResult: expect.stringMatching(/^r{60000}$/) });
  expect(cut).toMatchObject({ isShortened: true, finalResult: null });
  expect((await parts.call('GET', `scenarioruns/${cut.id}/`)).body.final_result).toHaveLength(60_000);

  const { data } = await service.graphql(
    'query ($p: Int!) { webhookDeliveries(projectId: $p) { items { isShortened body } } }',
    { p: project },
  );
  expect(data.webhookDeliveries.items.map(({ isShortened }: any) => isShortened)).toEqual([false, true]);
  expect(data.webhookDeliveries.items[1].body).toEqual({});
});

it('a page of prompts, variables, messages or scenarios, and of objects that nest them, leaves out what does not fit', async () => {
  const project = await parts.project();
  const condition = { isEnabled: true, type: 'variable', matching: 'equal', action: 'skip' };
  const conditions = JSON.stringify([{ ...condition, value: 'c'.repeat(50_000) }]);
  await service.sql(
    `with prompts as (
       insert into prompt (project_id, key, role, content, prompt_conditions, sort_id)
       select $1, 'k' || n, 'user', repeat('p', 30000), $2, n from generate_series(1, 2) n),
     variables as (
       insert into variable (project_id, key, variable_names, last_name_id, sort_id)
       select $1, 'k' || n, json_build_array(json_build_object('id', 1, 'name', 'v', 'isActive', true, 'value', repeat('v', 60000))), 1, n
         from generate_series(1, 2) n),
     messages as (
       insert into message (project_id, key, parameters, conditions, sort_id)
       select $1, 'k' || n, json_build_object('model_name', repeat('m', 60000)), '[]', n from generate_series(1, 2) n)
     insert into scenario (project_id, name, category_id, run_fee, free_runs_per_user, readme_guide, sort_id)
     select $1, 'k' || n, 1, 0, 0, repeat('g', 60000), n from generate_series(1, 2) n`,
    [project, conditions],
  );
  const lists = [
    ['prompts', (item: any) => item.content.length, 30_000],
    ['variables', (item: any) => item.variable_names[0]?.value.length ?? 0, 60_000],
    ['messages', (item: any) => item.parameters.model_name?.length ?? 0, 60_000],
    ['scenarios', (item: any) => item.readme_guide.length, 60_000],
  ] as const;
  for (const [name, lengthOf, whole] of lists) {
    const { body, headers } = await parts.call('GET', `${name}/?project=${project}`);
    expect(body.items.map(lengthOf)).toEqual([whole, 0]);
    const [first, cut] = body.items;
    expect(headers.get(SHORTENED_HEADER)).toBe(String(cut.id));
    for (const { id } of [first, cut]) {
      const single = await parts.call('GET', `${name}/${id}/`);
      expect(single.headers.get(SHORTENED_HEADER)).toBeNull();
      expect(lengthOf(single.body)).toBe(whole);
    }
    expect((await parts.call('GET', `${name}/${first.id}/`)).body).toMatchObject(first);
    const page = await parts.call('GET', `${name}/?project=${project}&page=2&size=1`);
    expect(page.headers.get(SHORTENED_HEADER)).toBeNull();
    expect(lengthOf(page.body.items[0])).toBe(whole);
  }
  const { data } = await service.graphql(
    `query ($p: Int!) { project(id: $p) {
       prompts { items { isShortened content promptConditions { value } } }
       variables { items { isShortened variableNames { value } } } } }`,
    { p: project },
  );
  const flags = [...data.project.prompts.items, ...data.project.variables.items].map(item => item.isShortened);
  // One of the four fits, whichever list is read first.
  expect(flags.filter(isShortened => !isShortened)).toHaveLength(1);
  expect(data.project.prompts.items[1]).toEqual({ isShortened: true, content: '', promptConditions: [] });
  expect(data.project.variables.items[1]).toEqual({ isShortened: true, variableNames: [] });
});

it('a page of workflows, also on the marketplace and in the catalog, leaves out guides that do not fit', async () => {
  const project = await parts.project();
  const made: number[] = [];
  for (const title of ['A', 'B', 'C']) {
    const data = pureGraph();
    made.push((await service.rest('POST', '/api/v1/workflows/', { body: { project, title, data } })).body.id);
  }
  await service.sql(
    `update workflow set readme_guide = repeat('g', case when id = $1 then 10 else 60000 end), market_title = 'Guided', short_description = 's',
            slug = 'guided-' || id, is_published = true, published_at = now() where id = any($2::int[])`,
    [made[2], made],
  );
  const bySlug = new Map(made.map(id => [id, `guided-${id}`]));
  const lists = [
    [`workflows/?project=${project}`, (id: number) => `workflows/${id}/`],
    [`all-workflows/?project=${project}`, (id: number) => `all-workflows/${id}/`],
    ['workflows/marketplace/?search=Guided', (id: number) => `workflows/marketplace/${bySlug.get(id)}/`],
  ] as const;
  for (const [list, one] of lists) {
    const { body, headers } = await parts.call('GET', list);
    const items: any[] = body.items;
    expect(items.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(made);
    const cut = items.filter(({ readme_guide }) => readme_guide === '');
    expect(items.map(({ readme_guide }) => readme_guide.length).toSorted((a, b) => a - b)).toEqual([0, 10, 60_000]);
    expect(headers.get(SHORTENED_HEADER)).toBe(String(cut[0].id));
    for (const item of items) {
      const single = await parts.call('GET', one(item.id));
      expect(single.headers.get(SHORTENED_HEADER)).toBeNull();
      expect(single.body.readme_guide).toHaveLength(item.id === made[2] ? 10 : 60_000);
      if (item !== cut[0]) expect(single.body).toMatchObject(item);
    }
  }
  const { data } = await service.graphql(
    '{ marketplaceWorkflows(filter: { search: "Guided" }) { items { id isShortened readmeGuide } } }',
  );
  for (const { isShortened, readmeGuide } of data.marketplaceWorkflows.items)
    expect(isShortened).toBe(readmeGuide.length === 0);
});

it('a page of projects, of the audit log or of approvals leaves out what does not fit', async () => {
  const many = Array.from({ length: 600 }, (_, n) => `${n}`.padEnd(100, 'w'));
  const named = `Stopped ${Date.now()}`;
  const ids: number[] = [];
  for (let n = 0; n < 2; n++)
    ids.push((await service.rest('POST', '/api/v1/projects/', { body: { name: named } })).body.id);
  for (const id of ids)
    await service.graphql(
      'mutation ($id: Int!, $w: [String!]!) { projectStopwordsSet(id: $id, stopwords: $w) { project { id } } }',
      {
        id,
        w: many,
      },
    );
  const query = `query ($n: String!, $size: Int!) { projects(filter: { nameContains: $n }, size: $size) { items { id isShortened stopwords } } }`;
  const all = (await service.graphql(query, { n: named, size: 10 })).data.projects.items;
  expect(all.map((item: any) => [item.isShortened, item.stopwords.length])).toEqual([
    [false, 600],
    [true, 0],
  ]);
  const single = await service.graphql('query ($id: Int!) { project(id: $id) { isShortened stopwords } }', {
    id: all[1].id,
  });
  expect(single.data.project).toEqual({ isShortened: false, stopwords: many });
  expect((await service.rest('GET', `/api/v1/projects/${all[1].id}/get-stopwords/`)).body.stopwords).toEqual(many);

  const [project] = ids;
  await service.sql(
    `insert into audit_entry (id, action, user_email, via, object_type, object_id, project_id, detail)
     select gen_random_uuid(), 'test.large', 'a@b.c', 'key', 'test', n::text, $1, json_build_object('note', repeat('d', 60000)) from generate_series(1, 2) n`,
    [project],
  );
  const LOG = `query ($p: Int!, $size: Int!, $page: Int!) {
    auditLog(projectId: $p, filter: { action: "test.large" }, size: $size, page: $page) { items { isShortened detail } } }`;
  const log = (await service.graphql(LOG, { p: project, size: 10, page: 1 })).data.auditLog.items;
  expect(log[0]).toEqual({ isShortened: false, detail: { note: 'd'.repeat(60_000) } });
  expect(log[1]).toEqual({ isShortened: true, detail: {} });
  const second = (await service.graphql(LOG, { p: project, size: 1, page: 2 })).data.auditLog.items;
  expect(second).toEqual([log[0]]);

  await service.sql(
    `with revision as (insert into workflow_revision (project_id, data) values ($1, '{}') returning id),
     run as (insert into workflow_run (id, project_id, revision_id, state) select gen_random_uuid(), $1, id, 'waiting' from revision returning id)
     insert into workflow_run_approval (id, run_id, project_id, node_id, iteration, kind, tool, arguments, requested_at, expires_at)
     select gen_random_uuid(), run.id, $1, 'n', '', 'tool', 't', json_build_object('text', repeat('a', 60000)),
            now() + n * interval '1 second', now() + interval '1 day' from run, generate_series(1, 2) n`,
    [project],
  );
  const APPROVALS = `query ($p: Int!, $size: Int!, $page: Int!) {
    agentApprovals(projectId: $p, size: $size, page: $page) { items { isShortened arguments } } }`;
  const approvals = (await service.graphql(APPROVALS, { p: project, size: 10, page: 1 })).data.agentApprovals.items;
  expect(approvals).toEqual([
    { isShortened: false, arguments: { text: 'a'.repeat(60_000) } },
    { isShortened: true, arguments: null },
  ]);
  const last = (await service.graphql(APPROVALS, { p: project, size: 1, page: 2 })).data.agentApprovals.items;
  expect(last).toEqual([approvals[0]]);
});

it('a page of key-value entries or triggers leaves out values that do not fit, and aliases share the limit', async () => {
  const project = await parts.project();
  await service.sql(
    `insert into key_value_entry (id, project_id, key, value, bytes, version)
     select gen_random_uuid(), $1, 'k' || n, to_json(repeat('v', case when n = 2 then 10 else 60000 end)), 1, 1 from generate_series(1, 3) n`,
    [project],
  );
  const { body, headers } = await parts.call('GET', `projects/${project}/key-value-entries/`);
  expect(body.items.map(({ value }: any) => value?.length)).toEqual([60_000, 10, undefined]);
  const cut = body.items[2];
  expect(headers.get(SHORTENED_HEADER)).toBe(cut.id);
  const single = await parts.call('GET', `key-value-entries/${cut.id}/`);
  expect(single.body).toEqual({ ...cut, value: 'v'.repeat(60_000) });
  expect(single.headers.get(SHORTENED_HEADER)).toBeNull();
  const page = '(projectId: $p) { items { isShortened value } }';
  const { data } = await service.graphql(
    `query ($p: Int!) { a: keyValueEntries${page} b: keyValueEntries${page} c: keyValueEntries${page} }`,
    { p: project },
  );
  const items = [...data.a.items, ...data.b.items, ...data.c.items];
  expect(items.map(item => item.value?.length ?? 0).toSorted((a, b) => b - a)).toEqual([
    60_000, 10, 10, 10, 0, 0, 0, 0, 0,
  ]);
  for (const { isShortened, value } of items) expect(isShortened).toBe(value === null);

  const workflow = (await parts.call('POST', 'workflows/', { body: { project, title: 'W', data: pureGraph() } })).body
    .id;
  const input = { topic: 't'.repeat(30_000) };
  const settings = [
    { webhook: { mapping: { topic: 'm'.repeat(30_000) } }, input },
    { chat: { access: 'members', mapping: { topic: 'c'.repeat(30_000) } }, input },
    { schedule: { cron: '0 9 * * 1' } },
  ];
  const triggers: any[] = [];
  for (const each of settings)
    triggers.push((await parts.call('POST', `workflows/${workflow}/triggers/`, { body: { name: 'T', ...each } })).body);
  const listed = await parts.call('GET', `workflows/${workflow}/triggers/`);
  const [webhook, chat, schedule] = triggers;
  expect(listed.headers.get(SHORTENED_HEADER)).toBe(String(webhook.id));
  expect(listed.body.items).toEqual([schedule, chat, { ...webhook, input: {}, webhook: null }]);
  expect((await parts.call('GET', `triggers/${webhook.id}/`)).body).toEqual(webhook);
});
