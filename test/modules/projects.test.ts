import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';

const PROJECT =
  '{ id name webhookUrl isWebhookEnabled stopwords canEdit totalSpent { usd sr } attachedProviderKeys { id } }';

let service: TestService;
let ann: { email: string; key: string };
let ben: { email: string; key: string };
const ask = (query: string, variables?: Record<string, unknown>, key = ann.key) =>
  service.graphql(query, variables, key);
const create = async (input: Record<string, unknown> = { name: 'Support' }) =>
  (
    await ask(`mutation ($input: ProjectCreateInput!) { projectCreate(input: $input) { project ${PROJECT} } }`, {
      input,
    })
  ).data.projectCreate.project;
const update = (id: number, input: Record<string, unknown>, key = ann.key) =>
  ask(
    `mutation ($id: Int!, $input: ProjectUpdateInput!) { projectUpdate(id: $id, input: $input) { project ${PROJECT} } }`,
    { id, input },
    key,
  );
const refusal = ({ errors }: Awaited<ReturnType<typeof ask>>) => errors?.map(error => error.extensions);

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
});
afterAll(() => service?.stop());

describe('projectCreate', () => {
  it('makes the caller the owner', async () => {
    const project = await create();
    expect(project).toEqual({
      id: expect.any(Number),
      name: 'Support',
      webhookUrl: '',
      isWebhookEnabled: false,
      stopwords: [],
      canEdit: true,
      totalSpent: { usd: '0', sr: '0' },
      attachedProviderKeys: [],
    });
    const members = await service.sql('select role from project_member where project_id = $1', [project.id]);
    expect(members).toEqual([{ role: 'owner' }]);
  });

  it('accepts null for optional members', async () => {
    expect(await create({ name: 'a', webhookUrl: null, isWebhookEnabled: null })).toMatchObject({
      webhookUrl: '',
      isWebhookEnabled: false,
    });
  });

  it('names every bad member at once, by its GraphQL name', async () => {
    const query = `mutation { projectCreate(input: { name: " ", webhookUrl: "ftp://x" }) { project { id } } }`;
    expect(refusal(await ask(query))).toEqual([
      {
        code: 'BAD_USER_INPUT',
        fields: { name: ['This field may not be blank.'], webhookUrl: [expect.stringContaining('http')] },
      },
    ]);
  });

  it('refuses text that cannot be stored, in literals and in variables', async () => {
    for (const [text, code] of [
      ['a\\u0000b', 'BAD_USER_INPUT'],
      ['\\ud800', 'GRAPHQL_PARSE_FAILED'],
    ])
      expect(
        refusal(await ask(`mutation { projectCreate(input: { name: "${text}" }) { project { id } } }`)),
      ).toMatchObject([{ code }]);
    const answer = await ask(
      `mutation ($input: ProjectCreateInput!) { projectCreate(input: $input) { project { id } } }`,
      {
        input: { name: 'a\u0000' },
      },
    );
    expect(refusal(answer)).toEqual([{ code: 'BAD_USER_INPUT' }]);
  });

  it('refuses unknown members and wrong types', async () => {
    for (const input of [{ name: 'a', nonsense: 1 }, { name: 7 }, { name: null }, {}, null]) {
      const answer = await ask(
        `mutation ($input: ProjectCreateInput!) { projectCreate(input: $input) { project { id } } }`,
        {
          input,
        },
      );
      expect(refusal(answer)).toEqual([{ code: 'BAD_USER_INPUT' }]);
    }
  });
});

describe('projectUpdate', () => {
  it('distinguishes null from omission in every member', async () => {
    const { id } = await create({ name: 'a', webhookUrl: 'https://example.com/', isWebhookEnabled: true });
    const filled = { name: 'a', webhookUrl: 'https://example.com/', isWebhookEnabled: true };
    expect((await update(id, {})).data.projectUpdate.project).toMatchObject(filled);
    expect((await update(id, { webhookUrl: null })).data.projectUpdate.project).toMatchObject({
      ...filled,
      webhookUrl: '',
    });
    expect((await update(id, { isWebhookEnabled: null })).data.projectUpdate.project).toMatchObject({
      name: 'a',
      webhookUrl: '',
      isWebhookEnabled: false,
    });
    expect(refusal(await update(id, { name: null }))).toEqual([
      { code: 'BAD_USER_INPUT', fields: { name: ['This field may not be null.'] } },
    ]);
  });

  it('is forbidden to an editor and not found for an outsider', async () => {
    const { id } = await create();
    expect(refusal(await update(id, { name: 'b' }, ben.key))).toEqual([{ code: 'NOT_FOUND' }]);
    await service.sql(
      `insert into project_member (project_id, user_id, role) select $1, id, 'editor' from app_user where email = $2`,
      [id, ben.email],
    );
    expect(refusal(await update(id, { name: 'b' }, ben.key))).toEqual([{ code: 'FORBIDDEN' }]);
  });
});

describe('projects', () => {
  const list = (args: string) => ask(`{ projects${args} { page size total items { name } } }`);

  it('are filtered and paged; null and an absent filter are the same', async () => {
    for (const name of ['list one', 'list two']) await create({ name });
    const both = { total: 2, items: [{ name: 'list two' }, { name: 'list one' }] };
    expect((await list('(filter: { nameContains: "LIST " })')).data.projects).toMatchObject({
      page: 1,
      size: 10,
      ...both,
    });
    const all = (await list('')).data.projects;
    for (const args of [
      '(filter: null)',
      '(filter: {})',
      '(filter: { nameContains: null })',
      '(filter: { nameContains: "" })',
    ])
      expect((await list(args)).data.projects).toEqual(all);
    expect((await list('(filter: { nameContains: "list" }, page: 2, size: 1)')).data.projects).toMatchObject({
      page: 2,
      size: 1,
      total: 2,
      items: [{ name: 'list one' }],
    });
  });

  it.each([
    ['(size: 101)', { size: ['Ensure this value is between 0 and 100.'] }],
    ['(size: -1)', { size: ['Ensure this value is between 0 and 100.'] }],
    ['(page: 0)', { page: ['Ensure this value is greater than or equal to 1.'] }],
    ['(filter: { nameContains: "\\u0000" })', { nameContains: [expect.any(String)] }],
  ])('refuse %s', async (args, fields) => {
    expect(refusal(await list(args))).toEqual([{ code: 'BAD_USER_INPUT', fields }]);
  });

  it.each(['(page: null)', '(size: null)', '(size: 2147483648)', '(size: "10")', '(nonsense: 1)'])(
    'refuse the arguments %s by validation',
    async args => {
      expect(refusal(await list(args))).toEqual([{ code: 'GRAPHQL_VALIDATION_FAILED' }]);
    },
  );
});

describe('one project', () => {
  it('is not found for outsiders, nor under ids that never existed', async () => {
    const { id } = await create();
    const theirs = await ask(`{ project(id: ${id}) { id } }`, {}, ben.key);
    expect(theirs).toEqual(await ask('{ project(id: 2000000000) { id } }', {}, ben.key));
    expect(theirs.errors?.[0]).toMatchObject({ message: 'Not found.', extensions: { code: 'NOT_FOUND' } });
    expect(refusal(await ask('{ project(id: -1) { id } }'))).toEqual([{ code: 'NOT_FOUND' }]);
    expect(refusal(await ask('{ project(id: 2147483648) { id } }'))).toEqual([{ code: 'GRAPHQL_VALIDATION_FAILED' }]);
  });

  it('is returned in its last state when it is deleted', async () => {
    const project = await create();
    const remove = () => ask(`mutation { projectDelete(id: ${project.id}) { project ${PROJECT} } }`);
    expect((await remove()).data.projectDelete.project).toMatchObject({ id: project.id, name: project.name });
    expect(refusal(await remove())).toEqual([{ code: 'NOT_FOUND' }]);
  });

  it('accepts stopwords up to a limit', async () => {
    const { id } = await create();
    const set = (stopwords: unknown) =>
      ask(
        `mutation ($stopwords: [String!]!) { projectStopwordsSet(id: ${id}, stopwords: $stopwords) { project { stopwords } } }`,
        {
          stopwords,
        },
      );
    expect((await set([' A', 'a', ''])).data.projectStopwordsSet.project).toEqual({ stopwords: ['a'] });
    const odd = ['null', 'say "x"', 'back\\slash', 'two\nlines, one', '{}'];
    expect((await set(odd)).data.projectStopwordsSet.project).toEqual({ stopwords: odd });
    expect((await ask(`{ project(id: ${id}) { stopwords } }`)).data.project).toEqual({ stopwords: odd });
    const neighbour = await create();
    const { items } = (await ask('{ projects(size: 2) { items { id stopwords } } }')).data.projects;
    expect(items).toEqual([
      { id: neighbour.id, stopwords: [] },
      { id, stopwords: odd },
    ]);
    const many = Array.from({ length: 10_001 }, (_, index) => `word${index}`);
    expect(refusal(await set(many))).toMatchObject([
      { code: 'BAD_USER_INPUT', fields: { stopwords: [expect.any(String)] } },
    ]);
    expect((await set(many.slice(1))).data.projectStopwordsSet.project.stopwords).toHaveLength(10_000);
  });
});

it('nothing is shown without a key, or with a wrong one', async () => {
  for (const query of [
    '{ projects { total } }',
    '{ project(id: 1) { id } }',
    'mutation { projectCreate(input: { name: "a" }) { project { id } } }',
  ])
    expect(refusal(await service.graphql(query, {}, null))).toEqual([{ code: 'UNAUTHENTICATED' }]);
  const { status, body } = await service.rest('POST', '/graphql', {
    key: 'sk-wrong',
    body: { query: '{ projects { total } }' },
  });
  expect(status).toBe(401);
  expect(body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
});
