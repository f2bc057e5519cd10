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
  const category = (await administer(`categoryCreate(name: "${name}") { category { id } }`)).data.categoryCreate
    .category.id;
  const made = await administer(
    `subcategoryCreate(categoryId: ${category}, name: "Part") { subcategory { id categoryId category { id } } }`,
  );
  expect(made.data.subcategoryCreate.subcategory).toMatchObject({ categoryId: category, category: { id: category } });
  return { category, subcategory: made.data.subcategoryCreate.subcategory.id };
};

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  ann = await service.createUser('ann');
});
afterAll(() => service?.stop());

it('categories exist from the first start, with their subcategories', async () => {
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

it('only administrators change the list', async () => {
  const { category, subcategory } = await newCategory('Gardens');
  const mutations = [
    'categoryCreate(name: "X") { category { id } }',
    `categoryUpdate(id: ${category}, name: "X") { category { id } }`,
    `subcategoryCreate(categoryId: ${category}, name: "X") { subcategory { id } }`,
    `subcategoryUpdate(id: ${subcategory}, name: "X") { subcategory { id } }`,
    `subcategoryDelete(id: ${subcategory}) { subcategory { id } }`,
    `categoryDelete(id: ${category}) { category { id } }`,
  ];
  for (const mutation of mutations)
    expect((await administer(mutation, ann.key)).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  expect(
    (await administer(`categoryUpdate(id: ${category}, name: " Parks ") { category { id name } }`)).data.categoryUpdate
      .category,
  ).toEqual({
    id: category,
    name: 'Parks',
  });
  const renamed = await administer(`subcategoryUpdate(id: ${subcategory}, name: "Trees") { subcategory { name } }`);
  expect(renamed.data.subcategoryUpdate.subcategory).toEqual({ name: 'Trees' });
  const deleted = await administer(`subcategoryDelete(id: ${subcategory}) { subcategory { id name } }`);
  expect(deleted.data.subcategoryDelete.subcategory).toEqual({ id: subcategory, name: 'Trees' });
  expect(
    (await administer(`categoryDelete(id: ${category}) { category { name } }`)).data.categoryDelete.category,
  ).toEqual({ name: 'Parks' });
});

it('names are unique, filled and not too long; an unknown id is not found', async () => {
  const { category, subcategory } = await newCategory('Unique');
  const refused = async (mutation: string) => (await administer(mutation)).errors?.map(error => error.extensions);
  const bad = { code: 'BAD_USER_INPUT', fields: { name: [expect.any(String)] } };
  for (const mutation of [
    'categoryCreate(name: "Unique") { category { id } }',
    'categoryCreate(name: " ") { category { id } }',
    `categoryCreate(name: "${'x'.repeat(101)}") { category { id } }`,
    'categoryCreate(name: "\\u0000") { category { id } }',
    `categoryUpdate(id: ${category}, name: "Marketing") { category { id } }`,
    `subcategoryCreate(categoryId: ${category}, name: "Part") { subcategory { id } }`,
    `subcategoryUpdate(id: ${subcategory}, name: "") { subcategory { id } }`,
  ])
    expect(await refused(mutation)).toEqual([bad]);
  expect(await refused('subcategoryCreate(categoryId: 2000000000, name: "Part") { subcategory { id } }')).toEqual([
    { code: 'BAD_USER_INPUT', fields: { categoryId: ['Object does not exist.'] } },
  ]);
  for (const mutation of [
    'categoryUpdate(id: 2000000000, name: "Nobody") { category { id } }',
    'categoryDelete(id: 2000000000) { category { id } }',
    'subcategoryUpdate(id: -1, name: "Nobody") { subcategory { id } }',
    'subcategoryDelete(id: 2000000000) { subcategory { id } }',
  ])
    expect(await refused(mutation)).toEqual([{ code: 'NOT_FOUND' }]);
  const both = await Promise.all([1, 2].map(() => administer('categoryCreate(name: "At once") { category { id } }')));
  expect(both.filter(answer => answer.errors)).toHaveLength(1);
});

it('a category that scenarios use cannot be deleted; a deleted subcategory is removed from them', async () => {
  const { category, subcategory } = await newCategory('Used');
  const scenario = await parts.scenario(await parts.project(), { category, subcategory });
  expect((await administer(`categoryDelete(id: ${category}) { category { id } }`)).errors).toMatchObject([
    { extensions: { code: 'CONFLICT' } },
  ]);
  await administer(`subcategoryDelete(id: ${subcategory}) { subcategory { id } }`);
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
    await administer(`categoryDelete(id: ${category}) { category { id } }`);
    expect((await call('GET', `workflows/${body.id}/`)).body).toMatchObject({ category: null, subcategory: null });
  });
});
