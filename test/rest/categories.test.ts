import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { greeting } from '../support/graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { partsBy } from './scenarios/part-makers.js';

let service: TestService;
let ann: { email: string; key: string };
const parts = partsBy(
  () => service,
  () => ann.key,
);
const { call } = parts;
const administer = (mutation: string, key = service.key) => service.graphql(`mutation { ${mutation} }`, {}, key);
const newCategory = async (name: string): Promise<{ category: number; subcategory: number }> => {
  const category = (await administer(`categoryCreate(name: "${name}") { id }`)).data.categoryCreate.id;
  const made = await administer(
    `subcategoryCreate(category: ${category}, name: "Part") { id categoryId category { id } }`,
  );
  expect(made.data.subcategoryCreate).toMatchObject({ categoryId: category, category: { id: category } });
  return { category, subcategory: made.data.subcategoryCreate.id };
};

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  ann = await service.createUser('ann');
});
afterAll(() => service?.stop());

it('there are categories from the first start, by name, each with its subcategories', async () => {
  const { status, body } = await call('GET', 'categories/?size=100');
  expect(status).toBe(200);
  expect(body).toMatchObject({ page: 1, size: 100 });
  expect(body.total).toBe(body.items.length);
  expect(body.total).toBeGreaterThan(10);
  const names = body.items.map((item: { name: string }) => item.name);
  expect(names).toContain('Marketing');
  expect(body.items[0]).toEqual({
    id: expect.any(Number),
    name: expect.any(String),
    subcategories: expect.arrayContaining([{ id: expect.any(Number), name: expect.any(String) }]),
  });
  expect((await call('GET', 'categories?size=2&page=2')).body.items).toEqual(body.items.slice(2, 4));
  expect(await call('GET', 'categories/', { key: null })).toMatchObject({ status: 401 });
});

it('administrators keep the list, nobody else does', async () => {
  const { category, subcategory } = await newCategory('Gardens');
  const mutations = [
    'categoryCreate(name: "X") { id }',
    `categoryUpdate(id: ${category}, name: "X") { id }`,
    `subcategoryCreate(category: ${category}, name: "X") { id }`,
    `subcategoryUpdate(id: ${subcategory}, name: "X") { id }`,
    `subcategoryDelete(id: ${subcategory}) { id }`,
    `categoryDelete(id: ${category}) { id }`,
  ];
  for (const mutation of mutations)
    expect((await administer(mutation, ann.key)).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  expect(
    (await administer(`categoryUpdate(id: ${category}, name: " Parks ") { id name }`)).data.categoryUpdate,
  ).toEqual({
    id: category,
    name: 'Parks',
  });
  const renamed = await administer(`subcategoryUpdate(id: ${subcategory}, name: "Trees") { name }`);
  expect(renamed.data.subcategoryUpdate).toEqual({ name: 'Trees' });
  const deleted = await administer(`subcategoryDelete(id: ${subcategory}) { id name }`);
  expect(deleted.data.subcategoryDelete).toEqual({ id: subcategory, name: 'Trees' });
  expect((await administer(`categoryDelete(id: ${category}) { name }`)).data.categoryDelete).toEqual({ name: 'Parks' });
});

it('names are unique, filled and not too long; what is not there is not found', async () => {
  const { category, subcategory } = await newCategory('Unique');
  const refused = async (mutation: string) => (await administer(mutation)).errors?.map(error => error.extensions);
  const bad = { code: 'BAD_USER_INPUT', fields: { name: [expect.any(String)] } };
  for (const mutation of [
    'categoryCreate(name: "Unique") { id }',
    'categoryCreate(name: " ") { id }',
    `categoryCreate(name: "${'x'.repeat(101)}") { id }`,
    'categoryCreate(name: "\\u0000") { id }',
    `categoryUpdate(id: ${category}, name: "Marketing") { id }`,
    `subcategoryCreate(category: ${category}, name: "Part") { id }`,
    `subcategoryUpdate(id: ${subcategory}, name: "") { id }`,
  ])
    expect(await refused(mutation)).toEqual([bad]);
  expect(await refused('subcategoryCreate(category: 2000000000, name: "Part") { id }')).toEqual([
    { code: 'BAD_USER_INPUT', fields: { category: ['Object does not exist.'] } },
  ]);
  for (const mutation of [
    'categoryUpdate(id: 2000000000, name: "Nobody") { id }',
    'categoryDelete(id: 2000000000) { id }',
    'subcategoryUpdate(id: -1, name: "Nobody") { id }',
    'subcategoryDelete(id: 2000000000) { id }',
  ])
    expect(await refused(mutation)).toEqual([{ code: 'NOT_FOUND' }]);
  const both = await Promise.all([1, 2].map(() => administer('categoryCreate(name: "At once") { id }')));
  expect(both.filter(answer => answer.errors)).toHaveLength(1);
});

it('a category that scenarios use stays; a subcategory leaves them', async () => {
  const { category, subcategory } = await newCategory('Used');
  const scenario = await parts.scenario(await parts.project(), { category, subcategory });
  expect((await administer(`categoryDelete(id: ${category}) { id }`)).errors).toMatchObject([
    { extensions: { code: 'CONFLICT' } },
  ]);
  await administer(`subcategoryDelete(id: ${subcategory}) { id }`);
  expect((await call('GET', `scenarios/${scenario.id}/`)).body).toMatchObject({ category, subcategory: null });
});

describe('a workflow', () => {
  const create = (project: number, more: object) =>
    call('POST', 'workflows/', { body: { project, title: 'a', data: greeting(), ...more } });

  it('has a category that exists and a subcategory of it', async () => {
    const project = await parts.project();
    const [first, second] = (await call('GET', 'categories/')).body.items.filter(
      (item: { subcategories: object[] }) => item.subcategories.length > 0,
    );
    const [sub, alien] = [first.subcategories[0].id, second.subcategories[0].id];
    const made = await create(project, { category: first.id, subcategory: sub });
    expect(made).toMatchObject({ status: 201, body: { category: first.id, subcategory: sub } });
    const update = (body: object) => call('PATCH', `workflows/${made.body.id}/`, { body });
    for (const [bad, member] of [
      [{ category: 2_000_000_000, subcategory: null }, 'category'],
      [{ category: -1, subcategory: null }, 'category'],
      [{ subcategory: 2_000_000_000 }, 'subcategory'],
      [{ subcategory: alien }, 'subcategory'],
      [{ category: second.id }, 'subcategory'],
      [{ category: null }, 'subcategory'],
    ] as const) {
      const changed = await update(bad);
      expect({ status: changed.status, members: Object.keys(changed.body) }).toEqual({
        status: 400,
        members: [member],
      });
    }
    expect((await create(project, { subcategory: sub })).body).toEqual({ subcategory: [expect.any(String)] });
    expect((await create(project, { category: 2_000_000_000 })).body).toEqual({ category: ['Object does not exist.'] });
    expect((await update({ category: second.id, subcategory: alien })).body).toMatchObject({
      category: second.id,
      subcategory: alien,
    });
    const copy = await call('POST', `workflows/${made.body.id}/duplicate/`);
    expect(copy.body).toMatchObject({ category: second.id, subcategory: alien });
    expect((await update({ category: null, subcategory: null })).body).toMatchObject({
      category: null,
      subcategory: null,
    });
  });

  it('loses a category that is deleted', async () => {
    const { category, subcategory } = await newCategory('Passing');
    const { body } = await create(await parts.project(), { category, subcategory });
    await administer(`categoryDelete(id: ${category}) { id }`);
    expect((await call('GET', `workflows/${body.id}/`)).body).toMatchObject({ category: null, subcategory: null });
  });
});
