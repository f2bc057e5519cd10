import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../../support/service.js';
import { partsBy } from '../scenarios/part-makers.js';

let service: TestService;
let project: number;
const parts = partsBy(
  () => service,
  () => service.key,
);
const { call } = parts;
const update = (id: number, body: unknown) => call('PATCH', `variables/${id}/`, { body });

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  project = await parts.project();
});
afterAll(() => service?.stop());

it('a variable is created with every member of the record', async () => {
  const own = await parts.project();
  const variable_names = [
    { name: ' first ', value: 'one' },
    { name: 'second', value: '', is_active: false },
  ];
  const { status, body } = await call('POST', 'variables/', { body: { key: ' Topic ', project: own, variable_names } });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.any(Number),
    key: 'Topic',
    project: own,
    variable_names: [
      { id: 1, name: 'first', value: 'one', is_active: true },
      { id: 2, name: 'second', value: '', is_active: false },
    ],
    is_global: false,
    keywordrun: null,
    keywordrun_mode: null,
    sort_id: 1,
    scenariorun: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect((await call('GET', `variables/${body.id}`)).body).toEqual(body);
});

describe('the values of a variable', () => {
  const idsWithNames = (body: { variable_names: { id: number; name: string }[] }) =>
    body.variable_names.map(({ id, name }) => `${id}${name}`);

  it('keep the ids that a client chose, and new ones get others', async () => {
    const made = await parts.variable(project, {
      variable_names: [{ name: 'a' }, { id: 7, name: 'b' }, { name: 'c' }, { id: 1, name: 'd' }],
    });
    expect(idsWithNames(made)).toEqual(['8a', '7b', '9c', '1d']);
  });

  it('keep their ids through updates, named by id or by name', async () => {
    const { id } = await parts.variable(project, {
      variable_names: [
        { name: 'a', value: '1' },
        { name: 'b', value: '2' },
        { name: 'c', value: '3' },
      ],
    });
    const renamed = await update(id, { variable_names: [{ id: 2, name: 'B' }, { name: 'a' }, { name: 'new' }] });
    expect(renamed.status).toBe(200);
    expect(renamed.body.variable_names).toEqual([
      { id: 2, name: 'B', value: '2', is_active: true },
      { id: 1, name: 'a', value: '1', is_active: true },
      { id: 4, name: 'new', value: '', is_active: true },
    ]);
    await update(id, { variable_names: [] });
    // No id is assigned twice: a placeholder of a removed value finds nothing.
    expect(idsWithNames((await update(id, { variable_names: [{ name: 'a' }] })).body)).toEqual(['5a']);
  });

  it('keep the members that an element leaves out', async () => {
    const { id } = await parts.variable(project, { variable_names: [{ name: 'a', value: '1', is_active: false }] });
    expect((await update(id, { variable_names: [{ id: 1 }] })).body.variable_names).toEqual([
      { id: 1, name: 'a', value: '1', is_active: false },
    ]);
    const changed = await update(id, { variable_names: [{ id: 1, is_active: true, value: '' }] });
    expect(changed.body.variable_names).toEqual([{ id: 1, name: 'a', value: '', is_active: true }]);
  });

  it('may share a name, and then stand for one stored value each', async () => {
    const { id } = await parts.variable(project, {
      variable_names: [
        { name: 'city', value: 'A' },
        { name: 'city', value: 'B' },
      ],
    });
    const { body } = await update(id, { variable_names: [{ name: 'city' }, { name: 'city' }, { name: 'city' }] });
    expect(body.variable_names.map(({ id, value }: { id: number; value: string }) => [id, value])).toEqual([
      [1, 'A'],
      [2, 'B'],
      [3, ''],
    ]);
  });

  it.each([
    [null, 'variable_names'],
    ['a', 'variable_names'],
    [[1], 'variable_names.0'],
    [[null], 'variable_names.0'],
    [[{}], 'variable_names.0.name'],
    [[{ id: 5 }], 'variable_names.0.name'],
    [[{ name: '' }], 'variable_names.0.name'],
    [[{ name: null }], 'variable_names.0.name'],
    [[{ name: 'x'.repeat(256) }], 'variable_names.0.name'],
    [[{ name: 'a\u0000' }], 'variable_names.0.name'],
    [[{ name: 'a', value: null }], 'variable_names.0.value'],
    [[{ name: 'a', value: 1 }], 'variable_names.0.value'],
    [[{ name: 'a', value: '\ud800' }], 'variable_names.0.value'],
    [[{ name: 'a', value: 'x'.repeat(100_001) }], 'variable_names.0.value'],
    [[{ name: 'a', is_active: 'yes' }], 'variable_names.0.is_active'],
    [[{ name: 'a', id: 0 }], 'variable_names.0.id'],
    [[{ name: 'a', id: 2_147_483_648 }], 'variable_names.0.id'],
    [
      [
        { name: 'a', id: 3 },
        { name: 'b', id: 3 },
      ],
      'variable_names.1.id',
    ],
    [Array.from({ length: 1_001 }, (_, index) => ({ name: `n${index}` })), 'variable_names'],
  ])('refuse %j', async (variable_names, member) => {
    const body = { key: `bad ${member} ${JSON.stringify(variable_names)}`.slice(0, 200), project, variable_names };
    const answer = await call('POST', 'variables/', { body });
    expect({ status: answer.status, members: Object.keys(answer.body) }).toEqual({ status: 400, members: [member] });
    const { id, updated_at } = await parts.variable(project);
    const changed = await update(id, { variable_names });
    // On an update an id without other members names a stored value, which does not exist either.
    expect({ status: changed.status, members: Object.keys(changed.body) }).toEqual({ status: 400, members: [member] });
    expect((await call('GET', `variables/${id}/`)).body.updated_at).toBe(updated_at);
  });

  it('after simultaneous updates are those of one, and no id is assigned twice', async () => {
    const { id } = await parts.variable(project, { variable_names: [] });
    await Promise.all(['a', 'b', 'c'].map(name => update(id, { variable_names: [{ name }] })));
    const { body } = await call('GET', `variables/${id}/`);
    expect(idsWithNames(body)).toHaveLength(1);
    expect(body.variable_names[0].id).toBe(3);
  });
});

describe('the settings of a variable', () => {
  it('change only where they are sent, and a new variable has null', async () => {
    const made = await parts.variable(project, { is_global: true, keywordrun_mode: 'clusters' });
    expect(made).toMatchObject({ is_global: true, keywordrun: null, keywordrun_mode: 'clusters' });
    expect((await update(made.id, { key: 'renamed' })).body).toMatchObject({
      ...made,
      key: 'renamed',
      updated_at: expect.any(String),
    });
    expect((await update(made.id, { is_global: null, keywordrun: null, keywordrun_mode: null })).body).toMatchObject({
      is_global: false,
      keywordrun: null,
      keywordrun_mode: null,
      variable_names: made.variable_names,
    });
  });

  it.each([
    [{ is_global: 'yes' }, 'is_global'],
    [{ keywordrun: 1 }, 'keywordrun'],
    [{ keywordrun: 'a' }, 'keywordrun'],
    [{ keywordrun: 2_147_483_648 }, 'keywordrun'],
    [{ keywordrun_mode: 'some' }, 'keywordrun_mode'],
  ])('refuse %j', async (bad, member) => {
    const { id } = await parts.variable(project);
    expect(await update(id, bad)).toMatchObject({ status: 400, body: { [member]: [expect.any(String)] } });
    const created = await call('POST', 'variables/', {
      body: { key: `bad ${JSON.stringify(bad)}`, project, variable_names: [], ...bad },
    });
    expect({ status: created.status, members: Object.keys(created.body) }).toEqual({ status: 400, members: [member] });
  });
});
