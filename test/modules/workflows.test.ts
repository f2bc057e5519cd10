import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chain, field, greeting, nested, output, trigger } from '../support/graphs.js';
import { setRole } from '../support/members.js';
import { startTestService, type TestService } from '../support/service.js';

const MARKET =
  'marketTitle shortDescription readmeGuide availableLanguages runFee freeRunsPerUser categoryId subcategoryId';
const WORKFLOW = `{ id projectId title data sortId ${MARKET} slug isPublished copiedFromId canEdit }`;

let service: TestService;
let ann: { email: string; key: string };
let ben: { email: string; key: string };
let project: number;
const ask = (query: string, variables?: Record<string, unknown>, key = ann.key) =>
  service.graphql(query, variables, key);
const refusal = ({ errors }: Awaited<ReturnType<typeof ask>>) => errors?.map(error => error.extensions);
const tryCreate = (input: Record<string, unknown>) =>
  ask(`mutation ($input: WorkflowCreateInput!) { workflowCreate(input: $input) { workflow ${WORKFLOW} } }`, {
    input: { projectId: project, title: 'a', data: greeting(), ...input },
  });
const create = async (input: Record<string, unknown> = {}) => (await tryCreate(input)).data.workflowCreate.workflow;
const update = (id: number, input: Record<string, unknown>, key = ann.key) =>
  ask(
    `mutation ($id: Int!, $input: WorkflowUpdateInput!) { workflowUpdate(id: $id, input: $input) { workflow ${WORKFLOW} } }`,
    { id, input },
    key,
  );

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
  project = (await ask('mutation { projectCreate(input: { name: "Home" }) { project { id } } }')).data.projectCreate
    .project.id;
});
afterAll(() => service?.stop());

const FILLED = {
  marketTitle: 'Title',
  shortDescription: 'Short',
  readmeGuide: 'Guide',
  availableLanguages: ['en'],
  runFee: 10,
  freeRunsPerUser: 2,
};
const EMPTY = {
  marketTitle: '',
  shortDescription: '',
  readmeGuide: '',
  availableLanguages: [],
  runFee: 0,
  freeRunsPerUser: 0,
};

describe('workflowCreate', () => {
  it('treats null and omission alike for the marketplace attributes', async () => {
    expect(await create()).toMatchObject(EMPTY);
    const nulls = Object.fromEntries([...Object.keys(EMPTY), 'categoryId', 'subcategoryId'].map(name => [name, null]));
    expect(await create(nulls)).toMatchObject({ ...EMPTY, categoryId: null, subcategoryId: null });
  });

  it('names every bad member at once', async () => {
    const bad = {
      title: '',
      data: { nodes: 1 },
      runFee: 1000,
      freeRunsPerUser: -1,
      availableLanguages: ['?'],
      marketTitle: 'x'.repeat(256),
    };
    const [extensions] = refusal(await tryCreate(bad)) ?? [];
    expect(extensions?.code).toBe('BAD_USER_INPUT');
    expect(Object.keys(extensions?.fields).toSorted()).toEqual(Object.keys(bad).toSorted());
  });

  it('refuses data that is null, absent or too deep', async () => {
    for (const data of [null, undefined])
      expect(refusal(await tryCreate({ data }))).toEqual([
        { code: 'BAD_USER_INPUT', fields: { data: [expect.any(String)] } },
      ]);
    expect((await create({ data: nested(60) })).data).toEqual(nested(60));
    expect(refusal(await tryCreate({ data: nested(65) }))).toEqual([{ code: 'BAD_USER_INPUT' }]);
    const literal = `${'{a:'.repeat(64)}{}${'}'.repeat(64)}`;
    const inline = (data: string) =>
      ask(
        `mutation { workflowCreate(input: { projectId: ${project}, title: "a", data: ${data} }) { workflow { id data } } }`,
      );
    expect(refusal(await inline(literal))).toMatchObject([
      { code: 'BAD_USER_INPUT', fields: { data: [expect.stringContaining('64')] } },
    ]);
    expect(
      (await inline('{ nodes: [], note: { __proto__: 1, n: 1.5, t: true, z: null } }')).data.workflowCreate.workflow.id,
    ).toEqual(expect.any(Number));
    expect(refusal(await inline('{ note: "\\u0000" }'))).toMatchObject([{ fields: { data: [expect.any(String)] } }]);
  });

  it('refuses a project of another user like one that does not exist', async () => {
    const as = (id: number) =>
      ask(
        `mutation ($data: JSON!) { workflowCreate(input: { projectId: ${id}, title: "a", data: $data }) { workflow { id } } }`,
        { data: greeting() },
        ben.key,
      );
    const theirs = await as(project);
    expect(theirs).toEqual(await as(2_000_000_000));
    expect(refusal(theirs)).toEqual([{ code: 'BAD_USER_INPUT', fields: { projectId: ['Object does not exist.'] } }]);
  });
});

describe('workflowUpdate', () => {
  it('distinguishes null from omission in every member', async () => {
    const { id } = await create(FILLED);
    expect((await update(id, {})).data.workflowUpdate.workflow).toMatchObject({ title: 'a', ...FILLED });
    for (const member of Object.keys(FILLED) as (keyof typeof FILLED)[]) {
      const emptied = (await update(id, { [member]: null })).data.workflowUpdate.workflow;
      expect(emptied).toMatchObject({ ...FILLED, [member]: EMPTY[member] });
      await update(id, { [member]: FILLED[member] });
    }
    for (const member of ['categoryId', 'subcategoryId'])
      expect((await update(id, { [member]: null })).data.workflowUpdate.workflow[member]).toBeNull();
    for (const member of ['title', 'data'])
      expect(refusal(await update(id, { [member]: null }))).toEqual([
        { code: 'BAD_USER_INPUT', fields: { [member]: ['This field may not be null.'] } },
      ]);
  });

  it('creates a revision only for a changed graph', async () => {
    const { id } = await create();
    const count = async () =>
      (await service.sql('select count(*)::int as count from workflow_revision where workflow_id = $1', [id]))[0]
        ?.count;
    await update(id, { title: 'b' });
    expect(await count()).toBe(1);
    const data = chain(trigger(), output());
    await update(id, { data });
    expect(await count()).toBe(2);
    const literal = JSON.stringify(data).replaceAll(/"(\w+)":/g, '$1:');
    const saved = await ask(`mutation { workflowUpdate(id: ${id}, input: { data: ${literal} }) { workflow { id } } }`);
    expect(saved.data.workflowUpdate.workflow).toEqual({ id });
    expect(await count()).toBe(2);
  });

  it('stores one of several graphs that are saved at once, as a whole', async () => {
    const { id } = await create();
    const graphs = Array.from({ length: 4 }, (_, index) =>
      chain(trigger(field(`f${index}`)), output(`{{ input.f${index} }}`)),
    );
    const answers = await Promise.all(graphs.map(data => update(id, { data })));
    expect(answers.flatMap(answer => answer.errors ?? [])).toEqual([]);
    const { data } = (await ask(`{ workflow(id: ${id}) { data } }`)).data.workflow;
    expect(graphs).toContainEqual(data);
  });
});

describe('workflows', () => {
  let id: number;
  beforeAll(async () => {
    ({ id } = await create());
  });

  it('are listed with their project, the caller’s rights, their input fields and their check', async () => {
    const list = await ask(
      `{ workflows(filter: { projectId: ${project} }, size: 100) { total items { id canEdit project { id name canEdit } inputFields { key } check { isValid } } } }`,
    );
    expect(list.errors).toBeUndefined();
    const { items, total } = list.data.workflows;
    expect(items).toHaveLength(total);
    for (const item of items)
      expect(item).toMatchObject({ canEdit: true, project: { id: project, name: 'Home', canEdit: true } });
    expect(items.find((item: { id: number }) => item.id === id)).toMatchObject({
      inputFields: [{ key: 'topic' }],
      check: { isValid: true },
    });
  });

  it('accept a filter that is null, empty or absent', async () => {
    const totals = new Set<number>();
    for (const args of [
      '',
      '(filter: null)',
      '(filter: {})',
      '(filter: { projectId: null, titleContains: null })',
      '(filter: { titleContains: "" })',
    ])
      totals.add((await ask(`{ workflows${args} { total } }`)).data.workflows.total);
    expect(totals.size).toBe(1);
    expect(refusal(await ask('{ workflows(filter: { titleContains: "\\u0000" }) { total } }'))).toEqual([
      { code: 'BAD_USER_INPUT', fields: { titleContains: [expect.any(String)] } },
    ]);
  });
});

it('an infinite number is refused, not stored as null', async () => {
  const inline = (data: string) =>
    ask(
      `mutation { workflowCreate(input: { projectId: ${project}, title: "a", data: ${data} }) { workflow { data } } }`,
    );
  expect(refusal(await inline('{ n: 1e999 }'))).toMatchObject([
    { code: 'BAD_USER_INPUT', fields: { data: [expect.stringContaining('infinite')] } },
  ]);
  expect((await inline('{ n: 1e300 }')).data.workflowCreate.workflow.data).toEqual({ n: 1e300 });
});

it('outsiders find nothing with any operation', async () => {
  const { id } = await create();
  const queriesFor = (target: number) => [
    `{ workflow(id: ${target}) { id } }`,
    `{ workflowRuns(workflowId: ${target}) { total } }`,
    `mutation { workflowUpdate(id: ${target}, input: { title: "b" }) { workflow { id } } }`,
    `mutation { workflowDelete(id: ${target}) { workflow { id } } }`,
    `mutation { workflowDuplicate(id: ${target}) { workflow { id } } }`,
    `mutation { workflowReorder(id: ${target}, sortId: 1) { workflow { id } } }`,
    `mutation { workflowRunStart(workflowId: ${target}) { receipt { status } } }`,
  ];
  const missing = queriesFor(2_000_000_000);
  for (const [at, query] of queriesFor(id).entries()) {
    const theirs = await ask(query, {}, ben.key);
    expect(refusal(theirs)).toEqual([{ code: 'NOT_FOUND' }]);
    expect(theirs).toEqual(await ask(missing[at] ?? '', {}, ben.key));
  }
});

it('a deleted workflow is returned a last time and not found afterwards', async () => {
  const { id, title } = await create();
  const remove = () => ask(`mutation { workflowDelete(id: ${id}) { workflow { id title data } } }`);
  expect((await remove()).data.workflowDelete.workflow).toMatchObject({ id, title });
  expect(refusal(await remove())).toEqual([{ code: 'NOT_FOUND' }]);
});

it('a viewer may read, and may not change or run anything', async () => {
  const { id } = await create();
  await setRole(service, project, ben.email, 'viewer');
  expect((await ask(`{ workflow(id: ${id}) { canEdit } }`, {}, ben.key)).data.workflow.canEdit).toBe(false);
  for (const mutation of [
    'workflowDuplicate(id: ID) { workflow { id } }',
    'workflowReorder(id: ID, sortId: 1) { workflow { id } }',
    'workflowUpdate(id: ID, input: { title: "b" }) { workflow { id } }',
    'workflowDelete(id: ID) { workflow { id } }',
    'workflowRunStart(workflowId: ID) { receipt { status } }',
  ])
    expect(refusal(await ask(`mutation { ${mutation.replace('ID', String(id))} }`, {}, ben.key))).toEqual([
      { code: 'FORBIDDEN' },
    ]);
  await service.sql('delete from project_member where project_id = $1 and role = $2', [project, 'viewer']);
});
