import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setRole } from '../support/members.js';
import { startTestService, type TestService } from '../support/service.js';
import { bytesOf } from './bytes-of.js';
import { partsBy } from './scenarios/part-makers.js';

let service: TestService;
let ann: { email: string; key: string };
let ben: { email: string; key: string };
let project: number;
let variable: { id: number };
let message: { id: number };
/** Of a project that Ann cannot access. */
let foreign: { variable: number; message: number };
const parts = partsBy(
  () => service,
  () => ann.key,
);
const theirs = partsBy(
  () => service,
  () => ben.key,
);
const { call } = parts;
const update = (id: number, body: unknown) => call('PATCH', `prompts/${id}/`, { body });
const CONDITION = { type: 'variable', matching: 'equal', value: 'x', action: 'skip' };

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
  project = await parts.project();
  variable = await parts.variable(project);
  message = await parts.message(project);
  const elsewhere = await theirs.project();
  foreign = { variable: (await theirs.variable(elsewhere)).id, message: (await theirs.message(elsewhere)).id };
});
afterAll(() => service?.stop());

it('a prompt is created with every member of the record', async () => {
  const own = await parts.project();
  const { id: topic } = await parts.variable(own);
  const content = `About <variable>-1,${topic},1</variable>`;
  const { status, body } = await call('POST', 'prompts/', {
    body: { key: 'Question', role: 'user', content, project: own, prompt_conditions: [CONDITION] },
  });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.any(Number),
    key: 'Question',
    role: 'user',
    content,
    project: own,
    prompt_conditions: [
      { ...CONDITION, is_enabled: true, variable: null, variable_name: null, message: null, ignore_case: false },
    ],
    sort_id: 1,
    scenariorun: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect((await call('GET', `prompts/${body.id}`)).body).toEqual(body);
});

it.each(['user', 'system', 'assistant', 'positive', 'negative'])('the role %s is accepted', async role => {
  expect(await parts.prompt(project, { role })).toMatchObject({ role });
});

it.each([
  [{ role: 'User' }, 'role'],
  [{ role: 'tool' }, 'role'],
  [{ role: null }, 'role'],
  [{ role: 1 }, 'role'],
  [{ content: null }, 'content'],
  [{ content: '' }, 'content'],
  [{ content: 1 }, 'content'],
  [{ content: 'a\u0000' }, 'content'],
  [{ content: 'x'.repeat(200_001) }, 'content'],
])('a prompt with %j is refused', async (bad, member) => {
  const { id } = await parts.prompt(project);
  const body = { key: `bad ${member}`, role: 'user', content: 'x', project, ...bad };
  for (const answer of [await call('POST', 'prompts/', { body }), await update(id, bad)])
    expect({ status: answer.status, members: Object.keys(answer.body) }).toEqual({ status: 400, members: [member] });
});

it('an update leaves what it does not mention, and null empties the conditions', async () => {
  const made = await parts.prompt(project, { prompt_conditions: [CONDITION] });
  const changed = await update(made.id, { content: 'Changed' });
  expect(changed.body).toEqual({ ...made, content: 'Changed', updated_at: expect.any(String) });
  expect((await update(made.id, { prompt_conditions: null })).body.prompt_conditions).toEqual([]);
});

describe('a prompt without a project', () => {
  it('belongs to its creator only', async () => {
    const made = await parts.prompt(undefined, { key: 'mine' });
    expect(made).toMatchObject({ project: null, sort_id: 1 });
    expect(await parts.prompt(undefined, { key: 'second', project: null })).toMatchObject({
      project: null,
      sort_id: 2,
    });
    for (const key of [ben.key, service.key]) {
      const found = (id: number) => bytesOf(service, 'GET', `/api/v1/prompts/${id}/`, { key });
      expect(await found(made.id)).toMatchObject({ status: 404 });
      expect(await found(made.id)).toEqual(await found(2_000_000_000));
      const { items } = (await call('GET', 'prompts/?key=mine', { key })).body;
      expect(items).toEqual([]);
    }
    expect((await call('GET', 'prompts/?key=mine')).body.items).toEqual([made]);
  });

  it('has a key of its own and a position among its owner’s', async () => {
    const [first, second] = [await parts.prompt(undefined), await parts.prompt(undefined)];
    expect((await update(second.id, { key: first.key })).body).toEqual({
      key: ['This key is taken.'],
    });
    expect((await theirs.prompt(undefined, { key: first.key })).sort_id).toBe(1);
    await parts.prompt(project, { key: first.key });
    const moved = await call('POST', `prompts/${second.id}/reorder/`, { body: { sort_id: 1 } });
    expect(moved).toMatchObject({ status: 200, body: { sort_id: 1 } });
    expect((await call('DELETE', `prompts/${second.id}/`)).status).toBe(204);
    const own = (await call('GET', 'prompts/?size=100')).body.items.filter(
      (item: { project: unknown }) => item.project === null,
    );
    expect(own.map((item: { sort_id: number }) => item.sort_id)).toEqual(
      own.map((_: unknown, index: number) => index + 1),
    );
  });

  it('names objects that its creator can access', async () => {
    const content = `<variable>-1,${variable.id},1</variable> <message>0,${message.id}</message>`;
    expect(await parts.prompt(undefined, { content })).toMatchObject({ content });
    const answer = await call('POST', 'prompts/', {
      key: ben.key,
      body: { key: 'theirs', role: 'user', content },
    });
    expect(answer).toMatchObject({ status: 201, body: { content } });
    expect(JSON.parse(answer.headers.get('x-scenarium-warnings')!)).toHaveLength(2);
  });
});

describe('placeholders', () => {
  it('name variables and messages of the project, a counted one any of their values', async () => {
    for (const content of [
      `<variable>-1,${variable.id},1</variable>`,
      `<variable> 0 , ${variable.id} , 99 </variable>`,
      `<variable>0,${variable.id}</variable> <variable>-1,${variable.id},</variable>`,
      `<message>3,${message.id}</message>`,
      '<variable>not one</variable> <message></message> <b>1,2</b>',
    ])
      expect(await parts.prompt(project, { content })).toMatchObject({ content });
  });

  it('that name an object of an outsider are treated like those that name nothing', async () => {
    const { id } = await parts.prompt(project);
    const answer = async (content: string) => {
      const { status, headers } = await update(id, { content });
      return { status, text: headers.get('x-scenarium-warnings')!.replaceAll(/\d+(?=[,<])/g, 'N') };
    };
    for (const [of, missing] of [
      [`<variable>-1,${foreign.variable},1</variable>`, '<variable>-1,2000000000,1</variable>'],
      [`<variable>0,${foreign.variable},1</variable>`, '<variable>0,2000000000,1</variable>'],
      [`<message>0,${foreign.message}</message>`, '<message>0,2000000000</message>'],
    ] as const) {
      expect(await answer(of)).toEqual(await answer(missing));
      expect(await answer(of)).toMatchObject({
        status: 200,
        text: expect.stringContaining('refers to a variable, named value or message that does not exist'),
      });
    }
  });

  it('that name a value, a project or a number out of reach are saved with a warning', async () => {
    const other = await parts.variable(await parts.project());
    for (const content of [
      `<variable>-1,${variable.id},2</variable>`,
      `<variable>-1,${other.id},1</variable>`,
      `<variable>0,${other.id}</variable>`,
      `<variable>-2,${variable.id},1</variable>`,
      `<variable>-1,99999999999999999999,1</variable>`,
      `<message>-1,${message.id}</message>`,
      `fine <message>0,${message.id}</message> and not <message>0,2147483648</message>`,
    ]) {
      const answer = await call('POST', 'prompts/', { body: { key: `p ${content}`, role: 'user', content, project } });
      const warnings = JSON.parse(answer.headers.get('x-scenarium-warnings') ?? '[]');
      expect({ status: answer.status, content: answer.body.content, warnings }).toEqual({
        status: 201,
        content,
        warnings: [{ code: 'unknown_reference', path: 'content', message: expect.any(String) }],
      });
    }
  });
});

describe('conditions', () => {
  const MATCHINGS = [
    'equal',
    'not_equal',
    'contains',
    'not_contains',
    'greater',
    'less',
    'empty',
    'not_empty',
    'regex',
    ...['greater_or_equal', 'less_or_equal', 'starts_with', 'ends_with', 'in', 'not_in', 'is_number', 'is_list'],
    ...['exists', 'not_exists', 'is_text'],
  ];

  it('accept every type, matching and action', async () => {
    const all = ['variable', 'message', 'language'].flatMap(type =>
      MATCHINGS.flatMap(matching =>
        ['skip', 'use', 'stop', 'fail'].map(action => ({
          is_enabled: false,
          type,
          matching,
          value: type === 'language' ? 'de' : '1',
          action,
          variable: type === 'message' ? null : variable.id,
          variable_name: type === 'message' ? null : 1,
          message: type === 'message' ? message.id : null,
          ignore_case: action === 'use',
        })),
      ),
    );
    for (const prompt_conditions of [all.slice(0, 100), all.slice(100, 200), all.slice(200)])
      expect((await parts.prompt(project, { prompt_conditions })).prompt_conditions).toEqual(prompt_conditions);
  });

  it.each(['empty', 'exists', 'not_exists', 'is_text'])('need no value to match with %s', async matching => {
    const made = await parts.prompt(project, {
      prompt_conditions: [{ type: 'variable', matching, action: 'stop', value: null, is_enabled: null }],
    });
    expect(made.prompt_conditions[0]).toMatchObject({ value: '', is_enabled: true });
  });

  it('that were stored before ignore_case existed do not ignore case', async () => {
    const { id } = await parts.prompt(project, { prompt_conditions: [CONDITION] });
    const sender = await parts.message(project, { conditions: [CONDITION] });
    const without = (column: string) =>
      `(select json_agg(c::jsonb - 'ignoreCase') from json_array_elements(${column}) c)`;
    await service.sql(`update prompt set prompt_conditions = ${without('prompt_conditions')} where id = ${id}`);
    await service.sql(`update message set conditions = ${without('conditions')} where id = ${sender.id}`);
    expect((await call('GET', `prompts/${id}/`)).body.prompt_conditions[0].ignore_case).toBe(false);
    expect((await call('GET', `messages/${sender.id}/`)).body.conditions[0].ignore_case).toBe(false);
  });

  it.each([
    [{ type: 'prompt' }, 'type'],
    [{ type: null }, 'type'],
    [{ matching: 'like' }, 'matching'],
    [{ action: 'jump' }, 'action'],
    [{ value: null }, 'value'],
    [{ value: 1 }, 'value'],
    [{ value: 'a\u0000' }, 'value'],
    [{ value: 'x'.repeat(10_001) }, 'value'],
    [{ matching: 'between', value: '1' }, 'value'],
    [{ matching: 'before', value: 'tomorrow' }, 'value'],
    [{ matching: 'regex', value: '(' }, 'value'],
    [{ matching: 'regex', value: '(?=a)' }, 'value'],
    [{ matching: 'regex', value: '(a)\\1' }, 'value'],
    [{ matching: 'regex', value: 'a'.repeat(1_001) }, 'value'],
    [{ matching: 'regex', value: `(${'a{1000}'.repeat(60)})` }, 'value'],
    [{ matching: 'regex', value: '((a{1000}){1000}){1000}' }, 'value'],
    [{ is_enabled: 'yes' }, 'is_enabled'],
    [{ ignore_case: 'yes' }, 'ignore_case'],
    [{ variable: 2_000_000_000 }, 'variable'],
    [{ variable: 2_147_483_648 }, 'variable'],
    [{ variable_name: 1 }, 'variable_name'],
    [{ message: 1 }, 'message'],
    [{ type: 'message', variable: 1 }, 'variable'],
    [{ type: 'message', variable_name: 1 }, 'variable_name'],
    [{ type: 'message', message: 2_000_000_000 }, 'message'],
    [{ type: 'language', value: 'de', variable_name: 1 }, 'variable_name'],
    [{ type: 'language', value: 'de', variable: 1, message: 1 }, 'message'],
    [{ type: 'language', value: 'de', variable: 2_000_000_000 }, 'variable'],
    [{ type: 'language', value: 'de', message: 2_000_000_000 }, 'message'],
    [{ type: 'language', matching: 'before', value: '2026-01-01' }, 'matching'],
    [{ type: 'language', matching: 'on_date', value: '2026-01-01' }, 'matching'],
    [{ type: 'language', value: '' }, 'value'],
    [{ type: 'language', value: 'german' }, 'value'],
    [{ type: 'language', value: 'en-US' }, 'value'],
    [{ type: 'language', matching: 'not_equal', value: 'xx' }, 'value'],
    [{ type: 'language', matching: 'in', value: 'de, xx' }, 'value'],
    [{ type: 'language', matching: 'not_in', value: '["xx"]' }, 'value'],
  ])('refuse %j', async (bad, member) => {
    const { id } = await parts.prompt(project);
    const answer = await update(id, { prompt_conditions: [CONDITION, { ...CONDITION, ...bad }] });
    expect({ status: answer.status, members: Object.keys(answer.body) }).toEqual({
      status: 400,
      members: [`prompt_conditions.1.${member}`],
    });
  });

  it('name the languages that are recognised', async () => {
    const { id } = await parts.prompt(project);
    const refused = await update(id, { prompt_conditions: [{ ...CONDITION, type: 'language' }] });
    expect(refused.body['prompt_conditions.0.value'][0]).toMatch(
      /^This value must consist of codes of languages, not "x"\. Available: am, ar, .*, zh\.$/,
    );
    const made = await parts.prompt(project, {
      prompt_conditions: [
        { ...CONDITION, type: 'language', value: ' EN ', message: message.id },
        { ...CONDITION, type: 'language', matching: 'in', value: '["en", "DE"]' },
      ],
    });
    expect(made.prompt_conditions).toMatchObject([{ value: ' EN ', message: message.id }, { value: '["en", "DE"]' }]);
  });

  it('refuse the ids of outsiders and of values that do not exist', async () => {
    const { id } = await parts.prompt(project);
    for (const [bad, member] of [
      [{ variable: foreign.variable }, 'variable'],
      [{ variable: variable.id, variable_name: 9 }, 'variable_name'],
      [{ type: 'message', message: foreign.message }, 'message'],
      [{ type: 'language', matching: 'empty', variable: foreign.variable }, 'variable'],
      [{ type: 'language', matching: 'empty', message: foreign.message }, 'message'],
    ] as const)
      expect((await update(id, { prompt_conditions: [{ ...CONDITION, ...bad }] })).body).toEqual({
        [`prompt_conditions.0.${member}`]: ['Object does not exist.'],
      });
  });

  it('are a list of at most 100', async () => {
    const { id } = await parts.prompt(project);
    for (const bad of ['x', {}, [1], Array(101).fill(CONDITION)])
      expect((await update(id, { prompt_conditions: bad })).status).toBe(400);
  });
});

it('a prompt outlives what it names, and is removed from its messages', async () => {
  const gone = await parts.variable(project);
  const prompt = await parts.prompt(project, { content: `<variable>-1,${gone.id},1</variable>` });
  const sender = await parts.message(project, { prompts: [prompt.id] });
  await call('DELETE', `variables/${gone.id}/`);
  expect((await call('GET', `prompts/${prompt.id}/`)).body.content).toBe(prompt.content);
  expect((await update(prompt.id, { key: 'still here' })).status).toBe(200);
  await call('DELETE', `prompts/${prompt.id}/`);
  expect((await call('GET', `messages/${sender.id}/`)).body.prompts).toEqual([]);
});

it('a viewer cannot create a prompt in a project, but can name its objects in a prompt without a project', async () => {
  const shared = await theirs.project();
  await setRole(service, shared, ann.email, 'viewer');
  const seen = await theirs.variable(shared);
  const content = `<variable>-1,${seen.id},1</variable>`;
  const refused = await call('POST', 'prompts/', { body: { key: 'no', role: 'user', content, project: shared } });
  expect(refused).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
  expect(await parts.prompt(undefined, { content })).toMatchObject({ content });
});
