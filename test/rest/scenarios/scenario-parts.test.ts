import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setRole } from '../../support/members.js';
import { startTestService, type TestService } from '../../support/service.js';
import { bytesOf } from '../bytes-of.js';
import { partsBy } from './part-makers.js';

const NOT_FOUND = { detail: 'Not found.', code: 'not_found' };
const MISSING = 2_000_000_000;

let service: TestService;
let ann: { email: string; key: string };
let ben: { email: string; key: string };
const parts = partsBy(
  () => service,
  () => ann.key,
);
const { call } = parts;

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
});
afterAll(() => service?.stop());

/** Rules that hold for each of the four kinds. */
const KINDS = [
  ['variables', parts.variable, { key: 'Mine now' }, { key: 'new', variable_names: [] }],
  ['prompts', parts.prompt, { key: 'Mine now' }, { key: 'new', role: 'user', content: 'x' }],
  ['messages', parts.message, { key: 'Mine now' }, { key: 'new' }],
  [
    'scenarios',
    parts.scenario,
    { name: 'Mine now' },
    { name: 'new', category: 1, run_fee: 0, free_runs_per_user: 0, messages: [] },
  ],
] as const;

/**
 * The operations on a part, and their status for a viewer. The interface specification refuses a reorder by a role that is too
 * low with 400.
 */
const operationsOf = (change: object): [method: string, rest: string, body: unknown, viewer: number][] => [
  ['GET', '', undefined, 200],
  ['PATCH', '', change, 403],
  ['POST', 'reorder/', { sort_id: 1 }, 400],
  ['DELETE', '', undefined, 403],
];

describe.each(KINDS)('%s', (kind, make, change, minimal) => {
  const order = async (project: number) =>
    (await call('GET', `${kind}/?project=${project}&size=100`)).body.items.map(
      (item: { id: number; sort_id: number }) => [item.id, item.sort_id],
    );
  const several = async (project: number, count: number) => {
    const made: { id: number }[] = [];
    for (let index = 0; index < count; index++) made.push(await make(project));
    return made.map(({ id }) => id);
  };

  it('of an outsider are answered like ones that do not exist', async () => {
    const { id } = await make(await parts.project());
    for (const [method, rest, body] of operationsOf(change)) {
      const path = (target: number) => `/api/v1/${kind}/${target}/${rest}`;
      const theirs = await bytesOf(service, method, path(id), { key: ben.key, body });
      expect(theirs.status).toBe(404);
      expect(theirs).toEqual(await bytesOf(service, method, path(MISSING), { key: ben.key, body }));
    }
  });

  it('are not created in an outsider’s project, nor in one that does not exist', async () => {
    const project = await parts.project();
    const answers = [];
    for (const target of [project, MISSING])
      answers.push(
        await bytesOf(service, 'POST', `/api/v1/${kind}/`, { key: ben.key, body: { ...minimal, project: target } }),
      );
    expect(answers[0]).toMatchObject({ status: 400, text: '{"project":["Object does not exist."]}' });
    expect(answers[1]).toEqual(answers[0]);
  });

  it('of an outsider are in no list', async () => {
    const project = await parts.project();
    await make(project);
    const theirs = await bytesOf(service, 'GET', `/api/v1/${kind}/?project=${project}`, { key: ben.key });
    expect(theirs).toEqual(await bytesOf(service, 'GET', `/api/v1/${kind}/?project=${MISSING}`, { key: ben.key }));
    expect(JSON.parse(theirs.text)).toMatchObject({ total: 0, items: [] });
  });

  it('are read by a viewer and changed by an editor', async () => {
    const project = await parts.project();
    const { id } = await make(project);
    await setRole(service, project, ben.email, 'viewer');
    for (const [method, rest, body, status] of operationsOf(change))
      expect(await call(method, `${kind}/${id}/${rest}`, { key: ben.key, body })).toMatchObject({ status });
    const created = await call('POST', `${kind}/`, { key: ben.key, body: { ...minimal, project } });
    expect(created).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
    await setRole(service, project, ben.email, 'editor');
    expect(await call('POST', `${kind}/`, { key: ben.key, body: { ...minimal, project } })).toMatchObject({
      status: 201,
    });
    for (const [method, rest, body] of operationsOf(change))
      expect([200, 204]).toContain((await call(method, `${kind}/${id}/${rest}`, { key: ben.key, body })).status);
  });

  it('need a key', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', '1/'],
      ['PATCH', '1/'],
      ['DELETE', '1/'],
    ] as const)
      expect(await call(method, `${kind}/${path}`, { key: null })).toMatchObject({
        status: 401,
        body: { code: 'not_authenticated' },
      });
  });

  it.each(['2147483648', '-1', 'abc', '%00', '1.5'])('are not found under the id %s', async id => {
    for (const [method, rest, body] of operationsOf(change))
      expect(await call(method, `${kind}/${id}/${rest}`, { body })).toMatchObject({ status: 404, body: NOT_FOUND });
  });

  it('name every required member that is missing', async () => {
    const { status, body } = await call('POST', `${kind}/`, { body: {} });
    expect(status).toBe(400);
    // A prompt without a project is private to its user.
    const owner = kind === 'prompts' ? [] : ['project'];
    expect(Object.keys(body).toSorted()).toEqual([...Object.keys(minimal), ...owner].toSorted());
  });

  it('are appended, move within bounds, and leave no gaps', async () => {
    const project = await parts.project();
    const [a, b, c, d] = await several(project, 4);
    const other = await make(await parts.project());
    const move = (id: number | undefined, sort_id: number) =>
      call('POST', `${kind}/${id}/reorder/`, { body: { sort_id } });
    expect(await order(project)).toEqual([a, b, c, d].map((id, index) => [id, index + 1]));
    expect(await move(a, 3)).toMatchObject({ status: 200, body: { id: a, sort_id: 3 } });
    expect((await order(project)).map(([id]: number[]) => id)).toEqual([b, c, a, d]);
    expect((await move(d, -2_147_483_648)).body.sort_id).toBe(1);
    expect((await move(b, 2_147_483_647)).body.sort_id).toBe(4);
    expect(await call('DELETE', `${kind}/${c}/`)).toMatchObject({ status: 204, body: null });
    expect(await order(project)).toEqual([
      [d, 1],
      [a, 2],
      [b, 3],
    ]);
    expect((await call('GET', `${kind}/${other.id}/`)).body.sort_id).toBe(1);
    for (const body of [{}, { sort_id: null }, { sort_id: 'a' }, { sort_id: 1.5 }, { sort_id: 2_147_483_648 }])
      expect(await call('POST', `${kind}/${a}/reorder/`, { body })).toMatchObject({
        status: 400,
        body: { sort_id: [expect.any(String)] },
      });
  });

  it('keep positions without gaps when many create, move and delete at once', async () => {
    const project = await parts.project();
    const ids = await several(project, 5);
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => make(project).then(() => ({ status: 201 }))),
      ...ids.flatMap((id, index) => [
        call('POST', `${kind}/${id}/reorder/`, { body: { sort_id: 6 - index } }),
        call('POST', `${kind}/${id}/reorder/`, { body: { sort_id: index + 4 } }),
      ]),
      call('DELETE', `${kind}/${ids[2]}/`),
    ]);
    for (const { status } of answers) expect([200, 201, 204, 404]).toContain(status);
    const places = (await order(project)).map(([, place]: number[]) => place);
    expect(places).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
  });

  it('ignore members that a client may not set', async () => {
    const project = await parts.project();
    const made = await make(project);
    const sent = {
      id: 1,
      project: await parts.project(),
      sort_id: 9,
      scenariorun: 1,
      created_at: 'x',
      can_edit: false,
    };
    const { status, body } = await call('PATCH', `${kind}/${made.id}/`, { body: sent });
    expect(status).toBe(200);
    expect(body).toEqual({ ...made, updated_at: expect.any(String) });
  });

  it('that runs copied are listed on demand, read, and changed only through the run', async () => {
    const project = await parts.project();
    const [kept, copy] = await several(project, 2);
    const [{ run }] = (await service.sql(
      'insert into scenario_run (billing_id, project_id) values (gen_random_uuid(), $1) returning id as run',
      [project],
    )) as [{ run: number }];
    await service.sql(`update ${kind.slice(0, -1)} set scenariorun_id = $2 where id = $1`, [copy, run]);
    const found = async (filter: string) => {
      const { status, body } = await call('GET', `${kind}/?project=${project}&${filter}`);
      return status === 200 ? body.items.map((item: { id: number }) => item.id) : body;
    };
    expect(await found('')).toEqual([kept]);
    expect(await found(`scenariorun=${run}`)).toEqual([copy]);
    expect(await found(`scenariorun=${run + 1}`)).toEqual([]);
    if (kind === 'scenarios') {
      expect(await found('scenariorun__isnull=true')).toEqual([kept]);
      expect(await found('scenariorun__isnull=false')).toEqual([copy]);
      expect(await found(`scenariorun=${run}&scenariorun__isnull=true`)).toEqual([]);
    } else {
      expect(await found('scenariorun=true')).toEqual([copy]);
      expect(await found('scenariorun=false')).toEqual([kept]);
    }
    // For scenarios -1 is the id of no run; the other filters accept only a boolean or an id, which is positive.
    for (const bad of ['abc', '1.5', '2147483648', '-1'])
      if (kind !== 'scenarios' || bad !== '-1')
        expect(await found(`scenariorun=${bad}`)).toEqual({ scenariorun: [expect.any(String)] });
    for (const [method, rest, body] of operationsOf(change))
      expect(await call(method, `${kind}/${copy}/${rest}`, { body })).toMatchObject({
        status: method === 'GET' ? 200 : 409,
      });
    expect((await make(project)).sort_id).toBe(2);
  });

  it.each(['project=abc', 'project=2147483648', 'size=101', 'page=0'])('are not listed by ?%s', async query => {
    const { status, body } = await call('GET', `${kind}/?${query}`);
    expect({ status, members: Object.keys(body) }).toEqual({ status: 400, members: [query.split('=')[0]] });
  });

  it('are deleted with their project', async () => {
    const project = await parts.project();
    const { id } = await make(project);
    expect((await call('DELETE', `projects/${project}/`)).status).toBe(204);
    expect((await call('GET', `${kind}/${id}/`)).status).toBe(404);
  });
});

describe.each(KINDS.slice(0, 3))('keys of %s', (kind, make, _change, _minimal) => {
  it('are unique within a project, also for callers at the same time', async () => {
    const project = await parts.project();
    await make(project, { key: 'Greeting' });
    const other = await make(project, { key: 'greeting' });
    const taken = { key: ['This key is taken.'] };
    const again = await call('PATCH', `${kind}/${other.id}/`, { body: { key: ' Greeting ' } });
    expect(again).toMatchObject({ status: 400, body: taken });
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => make(project, { key: 'once' })));
    expect(results.filter(result => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason.message).toContain(JSON.stringify(taken));
    expect(await make(await parts.project(), { key: 'once' })).toMatchObject({ key: 'once', sort_id: 1 });
    const places = (await call('GET', `${kind}/?project=${project}`)).body.items;
    expect(places.map((item: { sort_id: number }) => item.sort_id)).toEqual([1, 2, 3]);
  });

  it('are found in any case, wildcards literal', async () => {
    const project = await parts.project();
    for (const key of ['Alpha_1', 'alphaX1', '50%']) await make(project, { key });
    const keys = async (text: string) =>
      (await call('GET', `${kind}/?project=${project}&key=${encodeURIComponent(text)}`)).body.items.map(
        (item: { key: string }) => item.key,
      );
    expect(await keys('ALPHA')).toEqual(['Alpha_1', 'alphaX1']);
    expect(await keys('a_1')).toEqual(['Alpha_1']);
    expect(await keys('%')).toEqual(['50%']);
    expect((await call('GET', `${kind}/?key=%00`)).body).toEqual({ key: [expect.any(String)] });
  });

  it.each([[null], [''], [' '], ['x'.repeat(256)], ['a\u0000'], ['\ud800'], [1], [{}]])('refuse %j', async key => {
    const project = await parts.project();
    const { id } = await make(project);
    const { status, body } = await call('PATCH', `${kind}/${id}/`, { body: { key } });
    expect({ status, members: Object.keys(body) }).toEqual({ status: 400, members: ['key'] });
  });
});
