import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { greeting } from '../../support/graphs.js';
import {
  AI_USD,
  copyFromMarketplace,
  createPerson,
  type Person,
  runToEnd,
  sell,
  soldGraph,
} from '../../support/market.js';
import { joinProject } from '../../support/members.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';
import { restAsDeclared } from '../declared-answers.js';

let service: TestService;
let upstream: StubUpstream;
let owner: Person;
let other: Person;
/** A plain workflow, one with costs, one in a project that `other` shares, and a copy from the marketplace. */
let ids: number[];

beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
  [owner, other] = [await createPerson(service, 'owner'), await createPerson(service, 'other')];
  const shared = (await service.rest('POST', '/api/v1/projects/', { key: other.key, body: { name: 'Shared' } })).body
    .id;
  await joinProject(service, shared, owner.email, 'viewer');
  const make = async (key: string, project: number, more: object) => {
    const body = { project, data: greeting(), ...more };
    return (await service.rest('POST', '/api/v1/workflows/', { key, body })).body.id as number;
  };
  const plain = await make(owner.key, owner.project, { title: 'Bare 50%', category: 1, available_languages: ['en'] });
  const costly = await make(owner.key, owner.project, {
    title: 'Dear',
    market_title: 'Bargain',
    data: soldGraph(),
    category: 2,
    available_languages: ['de', 'fr'],
  });
  const theirs = await make(other.key, shared, { title: 'Theirs', category: 1, subcategory: 1 });
  const sold = await sell(service, other, { market_title: 'Sold', category: 3 }, greeting());
  const copy = (await copyFromMarketplace(service, owner, sold.slug)).id;
  ids = [plain, costly, theirs, copy];
  await runToEnd(service, owner.key, costly);
  await runToEnd(service, owner.key, costly);
  await runToEnd(service, owner.key, copy);
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

const get = (path = '', key = owner.key) => restAsDeclared(service, 'GET', `/api/v1/all-workflows/${path}`, { key });
const bookmark = (id: number, key = owner.key) =>
  restAsDeclared(service, 'POST', `/api/v1/all-workflows/${id}/add-bookmark/`, { key });
const unbookmark = (id: number, key = owner.key) =>
  restAsDeclared(service, 'DELETE', `/api/v1/all-workflows/${id}/delete-bookmark/`, { key });
/** Lists workflows, as their positions in `ids`. */
const list = async (query: string) =>
  (await get(`?${query}`)).body.items.map((item: any) => ids.indexOf(item.id)) as number[];

it('returns a workflow with the statistics of its runs', async () => {
  const { body } = await get(`${ids[1]}/`);
  expect(body).toMatchObject({
    id: ids[1],
    project: owner.project,
    title: 'Dear',
    run_fee: '0',
    is_bookmarked: false,
    copied_workflow_id: -1,
    last_run_at: expect.any(String),
    last_run_cost: { USD: AI_USD, SR: '0.045' },
    total_cost: { USD: '0.0009', SR: '0.09' },
    marketplace_price_avg: { USD: AI_USD, SR: '0.045' },
    total_runs_count: 2,
    total_users_count: 0,
  });
  expect(body.average_run_duration).toBeGreaterThan(0);
  expect((await get(`${ids[0]}/`)).body).toMatchObject({
    last_run_at: null,
    last_run_cost: null,
    average_run_duration: null,
    total_cost: { USD: '0', SR: '0' },
  });
  const history = (await service.rest('GET', `/api/v1/workflows/${ids[1]}/history/`, { key: owner.key })).body.items;
  const mean = history.reduce((sum: number, run: any) => sum + run.duration, 0) / history.length;
  expect(body.average_run_duration).toBeCloseTo(mean, 6);
  expect(body.last_run_at).toBe(
    history
      .map((run: any) => run.run_finished_at)
      .toSorted()
      .at(-1),
  );
});

it('is private: the owner of the original never sees the copy, outsiders see nothing', async () => {
  expect((await get(`${ids[3]}/`, other.key)).status).toBe(404);
  expect((await get(`${ids[0]}/`, other.key)).status).toBe(404);
  expect((await bookmark(ids[0]!, other.key)).status).toBe(404);
  expect((await unbookmark(ids[0]!, other.key)).status).toBe(404);
  expect((await service.rest('GET', '/api/v1/all-workflows/', { key: null })).status).toBe(401);
});

it.each([
  ['', [3, 2, 1, 0]],
  ['ordering=created_at', [0, 1, 2, 3]],
  ['ordering=-last_run_at', [3, 1, 2, 0]],
  ['ordering=last_run_at', [0, 2, 1, 3]],
  ['ordering=-total_cost', [1, 3, 2, 0]],
  ['ordering=total_cost', [0, 2, 3, 1]],
  ['search=bar', [1, 0]],
  ['title__icontains=BAR', [0]],
  ['search=50%25', [0]],
  ['search=_', []],
  ['categories=1', [2, 0]],
  ['categories=2&categories=3', [3, 1]],
  ['subcategories=1', [2]],
  ['languages=fr,es', [1]],
  ['languages=en', [3, 0]],
  ['own_scripts=true', [1, 0]],
  ['own_scripts=false', [3, 2, 1, 0]],
  ['page=2&size=3', [0]],
  ['project=2000000000', []],
])('lists by %s', async (query, expected) => {
  expect(await list(query)).toEqual(expected);
});

it('lists the workflows of one project', async () => {
  expect(await list(`project=${owner.project}`)).toEqual([3, 1, 0]);
});

it('puts bookmarks of the caller first, in every order', async () => {
  expect(await bookmark(ids[0]!)).toMatchObject({ status: 201, body: { message: expect.any(String) } });
  expect((await bookmark(ids[0]!)).status).toBe(201);
  await bookmark(ids[2]!);
  expect(await list('ordering=-last_run_at')).toEqual([2, 0, 3, 1]);
  expect(await list('ordering=created_at&size=1&page=2')).toEqual([2]);
  const pages = await Promise.all([1, 2, 3, 4, 5].map(page => list(`ordering=-last_run_at&size=1&page=${page}`)));
  expect(pages).toEqual([[2], [0], [3], [1], []]);
  expect(await list('ordering=-last_run_at&size=3&page=1')).toEqual([2, 0, 3]);
  expect((await get(`${ids[0]}/`)).body.is_bookmarked).toBe(true);
  expect((await get(`${ids[2]}/`, other.key)).body.is_bookmarked).toBe(false);
  expect((await unbookmark(ids[0]!)).status).toBe(204);
  expect((await unbookmark(ids[0]!)).status).toBe(204);
  expect(await list('')).toEqual([2, 3, 1, 0]);
  await unbookmark(ids[2]!);
});

it('leaves out archived workflows', async () => {
  const { body } = await service.rest('POST', `/api/v1/workflows/${ids[0]}/duplicate/`, { key: owner.key });
  await bookmark(body.id);
  await service.rest('DELETE', `/api/v1/workflows/${body.id}/`, { key: owner.key });
  expect(await list('')).toEqual([3, 2, 1, 0]);
  expect((await bookmark(body.id)).status).toBe(404);
});

it.each([
  ['ordering=title', 'ordering'],
  ['own_scripts=maybe', 'own_scripts'],
  ['project=a', 'project'],
  ['categories=1.5', 'categories.0'],
  ['languages=e,', 'languages'],
  ['search=%00', 'search'],
  ['title__icontains=%00', 'title__icontains'],
  ['size=-1', 'size'],
])('refuses %s', async (query, member) => {
  expect(await get(`?${query}`)).toMatchObject({ status: 400, body: { [member]: [expect.any(String)] } });
});

it('has the same bookmarks, lists and marketplace in GraphQL', async () => {
  const { data, errors } = await service.graphql(
    `mutation { workflowBookmarkAdd(id: ${ids[1]}) { receipt { message workflow { id isBookmarked lastRunCost { usd } category { id } } } } }`,
    {},
    owner.key,
  );
  expect(errors).toBeUndefined();
  expect(data.workflowBookmarkAdd.receipt.workflow).toEqual({
    id: ids[1],
    isBookmarked: true,
    lastRunCost: { usd: AI_USD },
    category: { id: 2 },
  });
  const lists = await service.graphql(
    `{ catalogWorkflows(filter: {ownScripts: true}, order: CREATED_AT_ASC) { total items { id } }
       marketplaceWorkflows(filter: {search: "sold", publishedAfter: "2020-01-01"}) {
         items { slug copiedWorkflowId marketplacePriceAverage { usd } category { name subcategories { id } } } } }`,
    {},
    owner.key,
  );
  expect(lists.errors).toBeUndefined();
  expect(lists.data.catalogWorkflows).toEqual({ total: 2, items: [{ id: ids[1] }, { id: ids[0] }] });
  expect(lists.data.marketplaceWorkflows.items).toMatchObject([{ slug: 'sold', copiedWorkflowId: ids[3] }]);
  const open = await service.graphql('{ marketplaceExamples(slug: "sold") { inputData cost { usd } } }', {}, null);
  expect(open.data.marketplaceExamples).toEqual([{ inputData: { topic: 'cats' }, cost: { usd: '0' } }]);
  const bad = await service.graphql(
    '{ marketplaceWorkflows(filter: {publishedAfter: "2025-02-30"}) { total } }',
    {},
    null,
  );
  expect(bad.errors?.[0]?.extensions.code).toBeDefined();
  expect((await service.graphql('{ catalogWorkflows { total } }', {}, null)).errors?.[0]?.extensions.code).toBe(
    'UNAUTHENTICATED',
  );
  await unbookmark(ids[1]!);
});

it('allows no other methods', async () => {
  expect((await service.rest('PUT', `/api/v1/all-workflows/${ids[0]}/`)).headers.get('allow')).toBe(
    'GET, HEAD, OPTIONS',
  );
  expect((await service.rest('GET', `/api/v1/all-workflows/${ids[0]}/add-bookmark/`)).status).toBe(405);
});
