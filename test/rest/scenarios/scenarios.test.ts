import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setRole } from '../../support/members.js';
import { startTestService, type TestService } from '../../support/service.js';
import { partsBy } from './part-makers.js';

let service: TestService;
let ann: { email: string; key: string };
let ben: { email: string; key: string };
let project: number;
const parts = partsBy(
  () => service,
  () => ann.key,
);
const theirs = partsBy(
  () => service,
  () => ben.key,
);
const { call } = parts;
const update = (id: number, body: unknown) => call('PATCH', `scenarios/${id}/`, { body });
const DEFAULTS = {
  subcategory: null,
  available_languages: [],
  market_title: '',
  short_description: '',
  market_permission: 'private',
  readme_guide: '',
};
const FILLED = {
  available_languages: ['en', 'pt-BR'],
  market_title: 'Answers',
  short_description: 'Short',
  market_permission: 'market_available',
  readme_guide: '# Guide',
};
let category: { id: number; subcategories: { id: number }[] };
let other: typeof category;

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
  project = await parts.project();
  [category, other] = (await call('GET', 'categories/')).body.items;
});
afterAll(() => service?.stop());

describe('a scenario', () => {
  it('is created with every member of the record', async () => {
    const own = await parts.project();
    const [first, second] = [await parts.message(own), await parts.message(own)];
    const given = {
      name: ' Answers ',
      project: own,
      category: category.id,
      run_fee: 999,
      free_runs_per_user: 3,
      messages: [second.id, first.id, second.id],
    };
    const { status, body } = await call('POST', 'scenarios/', { body: given });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...given,
      ...DEFAULTS,
      id: expect.any(Number),
      name: 'Answers',
      messages: [first.id, second.id],
      sort_id: 1,
      scenariorun: null,
      can_edit: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await call('GET', `scenarios/?project=${own}`)).body.items).toEqual([body]);
  });

  it('is retrieved with the records of all its parts', async () => {
    const own = await parts.project();
    const [named, looped, global, conditional, written] = [
      await parts.variable(own),
      await parts.variable(own),
      await parts.variable(own, { is_global: true }),
      await parts.variable(own),
      await parts.variable(own),
    ];
    await parts.variable(own);
    await parts.prompt(own);
    const prompts = [
      await parts.prompt(own, { content: `<variable>-1,${named.id},1</variable>` }),
      await parts.prompt(own, {
        prompt_conditions: [{ type: 'variable', variable: conditional.id, matching: 'empty', action: 'skip' }],
      }),
    ];
    const first = await parts.message(own, {
      prompts: [prompts[0].id],
      conditions: [{ type: 'language', variable: written.id, matching: 'empty', action: 'skip' }],
    });
    const second = await parts.message(own, { prompts: prompts.map(({ id }) => id), loop_variable: looped.id });
    const listed = await parts.scenario(own, { messages: [first.id, second.id], category: category.id });
    const { status, body } = await call('GET', `scenarios/${listed.id}/`);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...listed,
      messages: [first, second],
      project_info: { id: own, name: 'Home', can_edit: true },
      category_info: { id: category.id, name: expect.any(String) },
      variables: [named, looped, global, conditional, written],
      prompts,
    });
    await setRole(service, own, ben.email, 'viewer');
    expect((await call('GET', `scenarios/${listed.id}/`, { key: ben.key })).body).toEqual({
      ...body,
      can_edit: false,
      project_info: { ...body.project_info, can_edit: false },
    });
  });

  it('accepts null where a member may be empty, and keeps what an update leaves out', async () => {
    const nulls = Object.fromEntries(Object.keys(DEFAULTS).map(name => [name, null]));
    expect(await parts.scenario(project, nulls)).toMatchObject(DEFAULTS);
    const filled = { ...FILLED, category: category.id, subcategory: category.subcategories[0]!.id };
    const { id } = await parts.scenario(project, filled);
    expect((await update(id, {})).body).toMatchObject(filled);
    for (const member of Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]) {
      expect((await update(id, { [member]: null })).body).toMatchObject({ ...filled, [member]: DEFAULTS[member] });
      await update(id, { [member]: filled[member] });
    }
  });

  it.each([
    [{ name: null }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: '\u0000' }, 'name'],
    [{ category: null }, 'category'],
    [{ category: 2_000_000_000 }, 'category'],
    [{ category: 'a' }, 'category'],
    [{ subcategory: 2_000_000_000 }, 'subcategory'],
    [{ run_fee: null }, 'run_fee'],
    [{ run_fee: 1_000 }, 'run_fee'],
    [{ run_fee: -1 }, 'run_fee'],
    [{ run_fee: 1.5 }, 'run_fee'],
    [{ free_runs_per_user: null }, 'free_runs_per_user'],
    [{ free_runs_per_user: -1 }, 'free_runs_per_user'],
    [{ free_runs_per_user: 2_000_000_000 }, 'free_runs_per_user'],
    [{ messages: null }, 'messages'],
    [{ messages: 1 }, 'messages'],
    [{ messages: ['a'] }, 'messages.0'],
    [{ messages: [2_000_000_000] }, 'messages.0'],
    [{ messages: [2_147_483_648] }, 'messages.0'],
    [{ messages: Array.from({ length: 201 }, (_, index) => index) }, 'messages'],
    [{ available_languages: ['english please'] }, 'available_languages'],
    [{ available_languages: 'en' }, 'available_languages'],
    [{ market_title: 'x'.repeat(256) }, 'market_title'],
    [{ short_description: 'x'.repeat(2_001) }, 'short_description'],
    [{ market_permission: 'public' }, 'market_permission'],
    [{ readme_guide: 'x'.repeat(100_001) }, 'readme_guide'],
  ])('with %j is refused', async (bad, member) => {
    const own = await parts.project();
    const made = await parts.scenario(own);
    const { name, category: id, run_fee, free_runs_per_user, messages } = made;
    const given = { name, category: id, run_fee, free_runs_per_user, messages, project: own };
    for (const answer of [await call('POST', 'scenarios/', { body: { ...given, ...bad } }), await update(made.id, bad)])
      expect({ status: answer.status, members: Object.keys(answer.body) }).toEqual({ status: 400, members: [member] });
    expect((await call('GET', `scenarios/?project=${own}`)).body.items).toEqual([made]);
  });

  it('only has messages of its own project; those of an outsider are treated like missing ones', async () => {
    const mine = await parts.message(await parts.project());
    const foreign = await theirs.message(await theirs.project());
    const { id } = await parts.scenario(project);
    for (const message of [mine.id, foreign.id, 2_000_000_000])
      expect(await update(id, { messages: [message] })).toMatchObject({
        status: 400,
        body: { 'messages.0': ['Object does not exist.'] },
      });
  });

  it('has a subcategory of its category, whichever of the two changes', async () => {
    const [ownSubcategory, otherSubcategory] = [category.subcategories[0]!.id, other.subcategories[0]!.id];
    const mismatch = { subcategory: ['Must be a subcategory of the category.'] };
    const { id } = await parts.scenario(project, { category: category.id, subcategory: ownSubcategory });
    expect(await update(id, { subcategory: otherSubcategory })).toMatchObject({ status: 400, body: mismatch });
    expect(await update(id, { category: other.id })).toMatchObject({ status: 400, body: mismatch });
    expect((await update(id, { category: other.id, subcategory: otherSubcategory })).body).toMatchObject({
      category: other.id,
      subcategory: otherSubcategory,
    });
    expect((await update(id, { category: category.id, subcategory: null })).status).toBe(200);
  });

  it('is deleted without its messages, and loses a message that is deleted', async () => {
    const [a, b] = [await parts.message(project), await parts.message(project)];
    const { id } = await parts.scenario(project, { messages: [a.id, b.id] });
    await call('DELETE', `messages/${a.id}/`);
    expect((await call('GET', `scenarios/${id}/`)).body.messages).toEqual([{ ...b, sort_id: expect.any(Number) }]);
    await call('DELETE', `scenarios/${id}/`);
    expect((await call('GET', `messages/${b.id}/`)).status).toBe(200);
  });
});

it('scenarios are found by a part of their name', async () => {
  const own = await parts.project();
  for (const name of ['Alpha_1', 'alphaX1', '50%']) await parts.scenario(own, { name });
  const names = async (text: string) =>
    (await call('GET', `scenarios/?project=${own}&name__icontains=${encodeURIComponent(text)}`)).body.items.map(
      (item: { name: string }) => item.name,
    );
  expect(await names('ALPHA')).toEqual(['Alpha_1', 'alphaX1']);
  expect(await names('a_1')).toEqual(['Alpha_1']);
  expect(await names('%')).toEqual(['50%']);
  expect((await call('GET', 'scenarios/?name__icontains=%00')).body).toEqual({ name__icontains: [expect.any(String)] });
  expect((await call('GET', 'scenarios/?scenariorun__isnull=maybe')).status).toBe(400);
});
