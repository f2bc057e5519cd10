import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RestOptions, startTestService, type TestService } from '../../support/service.js';
import { restAsDeclared } from '../declared-answers.js';
import { insertKeywordRun } from './keyword-run-rows.js';

const NOT_FOUND = { detail: 'Not found.', code: 'not_found' };

let service: TestService;
let ann: { key: string };
let ben: { key: string };
let project: number;
let bensProject: number;

const call = (method: string, path: string, options: RestOptions = {}) =>
  restAsDeclared(service, method, `/api/v1/${path}`, { key: ann.key, ...options });
const create = (body: Record<string, unknown>) => call('POST', 'keywords/', { body: { project, ...body } });
const runWith = (names: string[], into = project, status = 'finished') =>
  insertKeywordRun(service, into, names, status);

const run = async (id: number) => (await call('GET', `keywordruns/${id}/`)).body;
const namesOf = async (id: number) =>
  (await call('GET', `keywords/?keywordrun=${id}&size=100`)).body.items.map((item: any) => item.name);

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
  project = (await call('POST', 'projects/', { body: { name: 'Tea' } })).body.id;
  bensProject = (await call('POST', 'projects/', { body: { name: 'Other' }, key: ben.key })).body.id;
});
afterAll(() => service?.stop());

describe('a keyword', () => {
  it('is created with every member of the record', async () => {
    const sent = { name: ' green tea ', volume: 320, competitor_url: 'https://example.com/tea', mode: 'serp' };
    const { status, body } = await create(sent);
    expect(status).toBe(201);
    expect(body).toEqual({
      ...{ id: expect.any(Number), project, ...sent, name: 'green tea' },
      keyword_cluster: null,
      keywordrun: null,
      is_enabled: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await call('GET', `keywords/${body.id}/`)).body).toEqual(body);
  });

  it('requires only its name and project, and a new one has null elsewhere', async () => {
    const bare = { volume: null, competitor_url: '', mode: '', keyword_cluster: null, is_enabled: true };
    expect((await create({ name: 'a' })).body).toMatchObject(bare);
    const nulls = { volume: null, competitor_url: null, mode: null, keyword_cluster: null, is_enabled: null };
    expect((await create({ name: 'a', keywordrun: null, ...nulls })).body).toMatchObject(bare);
  });

  it('changes only the members that are sent', async () => {
    const { body: made } = await create({ name: 'a', volume: 5, competitor_url: 'x', mode: 'question' });
    const changed = { ...made, updated_at: expect.any(String) };
    expect((await call('PATCH', `keywords/${made.id}/`, { body: { name: ' b ' } })).body).toEqual({
      ...changed,
      name: 'b',
    });
    // Other members are ignored.
    const { body } = await call('PATCH', `keywords/${made.id}/`, {
      body: { volume: null, competitor_url: null, is_enabled: false, mode: 'serp', project: bensProject, id: 1 },
    });
    expect(body).toEqual({ ...changed, name: 'b', volume: null, competitor_url: '', is_enabled: false });
  });

  it('is deleted', async () => {
    const { id } = (await create({ name: 'a' })).body;
    expect(await call('DELETE', `keywords/${id}/`)).toMatchObject({ status: 204, body: null });
    for (const method of ['GET', 'DELETE'])
      expect(await call(method, `keywords/${id}/`)).toMatchObject({ status: 404, body: NOT_FOUND });
  });

  it.each([
    [{ name: undefined }, 'name'],
    [{ name: null }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'a\ud800' }, 'name'],
    [{ name: 5 }, 'name'],
    [{ volume: -1 }, 'volume'],
    [{ volume: 2_147_483_648 }, 'volume'],
    [{ volume: 1.5 }, 'volume'],
    [{ competitor_url: 'x'.repeat(2049) }, 'competitor_url'],
    [{ competitor_url: '\u0000' }, 'competitor_url'],
    [{ mode: 'x'.repeat(51) }, 'mode'],
    [{ mode: '\u0000' }, 'mode'],
    [{ is_enabled: 'yes' }, 'is_enabled'],
    [{ keyword_cluster: 2_000_000_000 }, 'keyword_cluster'],
    [{ keyword_cluster: 'x' }, 'keyword_cluster'],
    [{ keywordrun: 2_000_000_000 }, 'keywordrun'],
    [{ project: 2_000_000_000 }, 'project'],
    [{ project: undefined }, 'project'],
  ])('is refused with %j', async (bad, member) => {
    const answer = await create({ name: 'a', ...bad });
    expect({ status: answer.status, members: Object.keys(answer.body) }).toEqual({ status: 400, members: [member] });
    if (!['name', 'volume', 'competitor_url', 'is_enabled'].includes(member) || Object.values(bad)[0] === undefined)
      return;
    const { id } = (await create({ name: 'a' })).body;
    const patched = await call('PATCH', `keywords/${id}/`, { body: bad });
    expect({ status: patched.status, members: Object.keys(patched.body) }).toEqual({ status: 400, members: [member] });
  });

  it('is listed by project and run, newest first, those of one run by score', async () => {
    const into = (await call('POST', 'projects/', { body: { name: 'List' } })).body.id;
    const id = await runWith(['best', 'second', 'third'], into);
    await create({ name: 'by hand', project: into });
    const list = async (query: string) => (await call('GET', `keywords/?${query}`)).body;
    expect((await list(`project=${into}`)).items.map((item: any) => item.name)).toEqual([
      'by hand',
      'best',
      'second',
      'third',
    ]);
    expect(await list(`project=${into}&size=1&page=2`)).toMatchObject({ page: 2, size: 1, total: 4 });
    expect((await list(`keywordrun=${id}&size=2`)).items.map((item: any) => item.name)).toEqual(['best', 'second']);
    expect((await call('GET', `keywords/?project=${into}`, { key: ben.key })).body).toMatchObject({
      total: 0,
      items: [],
    });
    expect((await call('GET', `keywords/?keywordrun=${id}`, { key: ben.key })).body).toEqual({
      keywordrun: ['Object does not exist.'],
    });
  });

  it('is added to a finished run of its project, or to the run of its cluster', async () => {
    const id = await runWith(['green tea', 'black coffee']);
    const { clusters } = (await call('POST', `keywordruns/${id}/clusterize/`)).body;
    const added = (await create({ name: 'white tea', keyword_cluster: clusters[0].id })).body;
    expect(added).toMatchObject({ keywordrun: id, keyword_cluster: clusters[0].id });
    expect((await create({ name: 'milk', keywordrun: id })).body).toMatchObject({ keywordrun: id });
    expect(await run(id)).toMatchObject({ keywords_count: 4 });
    const other = await runWith(['x']);
    const theirs = await runWith(['x'], bensProject);
    const refused = { keyword_cluster: ['Object does not exist.'] };
    expect((await create({ name: 'a', keywordrun: other, keyword_cluster: clusters[0].id })).body).toEqual(refused);
    expect((await create({ name: 'a', keywordrun: theirs })).body).toEqual({ keywordrun: ['Object does not exist.'] });
    expect((await create({ name: 'a', keywordrun: await runWith([], project, 'created') })).status).toBe(409);
  });

  it('is limited to a thousand per run', async () => {
    const id = await runWith(Array.from({ length: 999 }, (_, at) => `keyword ${at}`));
    expect((await create({ name: 'last', keywordrun: id })).status).toBe(201);
    expect((await create({ name: 'one more', keywordrun: id })).body).toEqual({
      keywordrun: ['The keyword run already has 1000 keywords, the maximum.'],
    });
    const clustered = await call('POST', `keywordruns/${id}/clusterize/`);
    expect(clustered.body.clusters.flatMap((cluster: any) => cluster.keywords)).toHaveLength(1000);
  });
});

describe('a finished keyword run', () => {
  it('can be clustered repeatedly, and a cluster that stays keeps its id', async () => {
    const id = await runWith(['tea', 'green tea', 'espresso', 'espresso machine', 'teas']);
    const { status, body } = await call('POST', `keywordruns/${id}/clusterize/`);
    expect(status).toBe(200);
    expect(body.clusters.map((cluster: any) => cluster.keywords.map((keyword: any) => keyword.name))).toEqual([
      ['tea', 'green tea', 'teas'],
      ['espresso', 'espresso machine'],
    ]);
    expect(body.clusters[0]).toEqual({
      id: expect.any(Number),
      name: 'tea',
      keywords: expect.arrayContaining([{ id: expect.any(Number), name: 'green tea', volume: null, is_enabled: true }]),
    });
    expect((await call('POST', `keywordruns/${id}/clusterize/`)).body.clusters).toEqual(body.clusters);
    const keyword = body.clusters[0].keywords[1];
    expect((await call('GET', `keywords/${keyword.id}/`)).body.keyword_cluster).toBe(body.clusters[0].id);
    // The keyword with the highest search volume names the cluster.
    await call('PATCH', `keywords/${keyword.id}/`, { body: { volume: 10 } });
    const again = (await call('POST', `keywordruns/${id}/clusterize/`)).body.clusters;
    expect(again.map((cluster: any) => cluster.name)).toEqual(['green tea', 'espresso']);
    expect(again[1].id).toBe(body.clusters[1].id);
  });

  it('has its keywords enabled and disabled all at once', async () => {
    const id = await runWith(['a', 'b']);
    const enabled = async () =>
      (await call('GET', `keywords/?keywordrun=${id}`)).body.items.map((item: any) => item.is_enabled);
    expect(await call('POST', `keywordruns/${id}/disable_all/`)).toMatchObject({ status: 200, body: { id } });
    expect(await enabled()).toEqual([false, false]);
    expect((await call('POST', `keywordruns/${id}/enable_all/`)).status).toBe(200);
    expect(await enabled()).toEqual([true, true]);
  });

  it('has fewer or more keywords by its preset', async () => {
    const found = Array.from({ length: 30 }, (_, at) => `found ${at}`);
    const id = await runWith(found.slice(0, 10));
    await service.sql('update keyword_run set found = $2 where id = $1', [id, JSON.stringify(found)]);
    await create({ name: 'by hand', keywordrun: id });
    const preset = async (value: unknown) => call('PATCH', `keywordruns/${id}/`, { body: { preset: value } });
    expect((await preset(2)).body).toMatchObject({ preset: 2, keywords_count: 26, status: 'finished' });
    expect((await preset(4)).body).toMatchObject({ preset: 4, keywords_count: 31 });
    expect((await preset(1)).body).toMatchObject({ preset: 1, keywords_count: 11 });
    expect((await namesOf(id)).toSorted()).toEqual(['by hand', ...found.slice(0, 10)].toSorted());
    expect((await call('PATCH', `keywordruns/${id}/`, { body: {} })).body).toMatchObject({ keywords_count: 11 });
    for (const bad of [0, 5, null, 'x', 1.5]) expect(Object.keys((await preset(bad)).body)).toEqual(['preset']);
  });

  it('is deleted with its keywords', async () => {
    const id = await runWith(['a']);
    const [keyword] = (await call('GET', `keywords/?keywordrun=${id}`)).body.items;
    expect((await call('DELETE', `keywordruns/${id}/`)).status).toBe(204);
    for (const path of [`keywordruns/${id}/`, `keywords/${keyword.id}/`])
      expect(await call('GET', path)).toMatchObject({ status: 404, body: NOT_FOUND });
  });

  it('is visible only to members of the project', async () => {
    const id = await runWith(['a']);
    const [keyword] = (await call('GET', `keywords/?keywordrun=${id}`)).body.items;
    const key = ben.key;
    for (const [method, path] of [
      ...(['GET', 'DELETE', 'PATCH'] as const).map(verb => [verb, `keywordruns/${id}/`] as const),
      ...['clusterize', 'enable_all', 'disable_all'].map(action => ['POST', `keywordruns/${id}/${action}/`] as const),
      ...(['GET', 'DELETE', 'PATCH'] as const).map(verb => [verb, `keywords/${keyword.id}/`] as const),
    ]) {
      const body = method === 'PATCH' ? {} : undefined;
      expect(await call(method, path, { key, body })).toMatchObject({ status: 404, body: NOT_FOUND });
    }
    expect((await call('GET', 'keywords/', { key })).body.items.map((item: any) => item.project)).not.toContain(
      project,
    );
  });
});

describe('an unfinished keyword run', () => {
  it('can be neither clustered nor enabled', async () => {
    for (const status of ['created', 'in_progress']) {
      const id = await runWith([], project, status);
      for (const action of ['clusterize', 'enable_all', 'disable_all'])
        expect((await call('POST', `keywordruns/${id}/${action}/`)).status).toBe(409);
      expect((await call('PATCH', `keywordruns/${id}/`, { body: { preset: 3 } })).body).toMatchObject({
        ...{ preset: 3, status },
      });
    }
  });

  it('is accepted with every member of the record', async () => {
    const sent = { project, topic: ' tea ', url: 'https://example.com/', preset: 2, do_clusterize: true };
    const { status, body } = await call('POST', 'keywordruns/', { body: sent });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...{ id: expect.any(Number), ...sent, topic: 'tea', status: 'created', keywords_count: 0, clusters: [] },
      ...{ error: null, cost: { USD: '0', SR: '0' }, created_at: expect.any(String), updated_at: expect.any(String) },
    });
    const bare = await call('POST', 'keywordruns/', { body: { project, topic: 'x', url: null, preset: null } });
    expect(bare.body).toMatchObject({ topic: 'x', url: '', preset: 1, do_clusterize: false });
    const { clusters: _, ...summary } = bare.body;
    const listed = (await call('GET', `keywordruns/?project=${project}&size=2`)).body;
    expect(listed.items[0]).toEqual(summary);
    expect(listed.items[1].id).toBe(body.id);
    expect((await call('GET', `keywordruns/?project=${bensProject}`)).body).toMatchObject({ total: 0, items: [] });
  });

  it.each([
    [{}, ['topic', 'url']],
    [{ topic: '', url: ' ' }, ['topic', 'url']],
    [{ topic: null, url: null }, ['topic', 'url']],
    [{ topic: 'a\u0000' }, ['topic']],
    [{ topic: '\ud800' }, ['topic']],
    [{ topic: 'x'.repeat(501) }, ['topic']],
    [{ topic: 5 }, ['topic']],
    [{ url: 'no address' }, ['url']],
    [{ url: 'ftp://example.com/' }, ['url']],
    [{ url: 'http://me:secret@example.com/' }, ['url']],
    [{ url: `http://example.com/${'x'.repeat(2048)}` }, ['url']],
    [{ url: 'http://example.com/\u0000' }, ['url']],
    [{ topic: 'x', preset: 0 }, ['preset']],
    [{ topic: 'x', preset: 5 }, ['preset']],
    [{ topic: 'x', preset: 'many' }, ['preset']],
    [{ topic: 'x', do_clusterize: 'yes' }, ['do_clusterize']],
    [{ topic: 'x', project: null }, ['project']],
    [{ topic: 'x', project: 2_000_000_000 }, ['project']],
  ])('is refused with %j', async (sent, members) => {
    const { status, body } = await call('POST', 'keywordruns/', { body: { project, ...sent } });
    expect({ status, members: Object.keys(body) }).toEqual({ status: 400, members });
  });

  it('is created once for one idempotency key', async () => {
    const start = (topic: string) =>
      call('POST', 'keywordruns/', { body: { project, topic }, headers: { 'Idempotency-Key': 'one' } });
    const first = await start('tea');
    expect((await start('tea')).body.id).toBe(first.body.id);
    expect((await start('coffee')).status).toBe(422);
  });
});
