import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chain, greeting, output, trigger } from '../../support/graphs.js';
import { setRole } from '../../support/members.js';
import { type RestOptions, startTestService, type TestService } from '../../support/service.js';
import { bytesOf } from '../bytes-of.js';
import { restAsDeclared } from '../declared-answers.js';

const NOT_FOUND = { detail: 'Not found.', code: 'not_found' };
const BASE = '/api/v1/workflows/';

let service: TestService;
let ann: { email: string; key: string };
let ben: { email: string; key: string };
const call = (method: string, path: string, options: RestOptions = {}) =>
  restAsDeclared(service, method, path, { key: ann.key, ...options });
const newProject = async (key = ann.key): Promise<number> =>
  (await call('POST', '/api/v1/projects/', { body: { name: 'Home' }, key })).body.id;
const create = async (project: number, title = 'Greeting', more: object = {}) =>
  (await call('POST', BASE, { body: { project, title, data: greeting(), ...more } })).body;

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
});
afterAll(() => service?.stop());

describe('creating a workflow', () => {
  it('answers 201 with every member of the record', async () => {
    const project = await newProject();
    const data = greeting();
    const { status, body } = await call('POST', BASE, { body: { project, title: ' Greeting ', data } });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      project,
      title: 'Greeting',
      data,
      sort_id: 1,
      market_title: '',
      short_description: '',
      readme_guide: '',
      available_languages: [],
      run_fee: 0,
      free_runs_per_user: 0,
      category: null,
      subcategory: null,
      slug: null,
      is_published: false,
      copied_from: null,
      can_edit: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  it('accepts the marketplace attributes, and null where they are empty', async () => {
    const project = await newProject();
    const filled = {
      market_title: 'Greeter',
      short_description: 'Greets.',
      readme_guide: '# How',
      available_languages: ['en', 'pt-BR'],
      run_fee: 999,
      free_runs_per_user: 3,
    };
    expect(await create(project, 'a', filled)).toMatchObject(filled);
    const nulls = Object.fromEntries([...Object.keys(filled), 'category', 'subcategory'].map(name => [name, null]));
    expect(await create(project, 'b', nulls)).toMatchObject({
      market_title: '',
      short_description: '',
      readme_guide: '',
      available_languages: [],
      run_fee: 0,
      free_runs_per_user: 0,
      category: null,
      subcategory: null,
    });
  });

  it('names every required member that is missing', async () => {
    const { status, body } = await call('POST', BASE, { body: {} });
    expect(status).toBe(400);
    expect(body).toEqual({
      project: ['This field is required.'],
      title: ['This field is required.'],
      data: ['This field is required.'],
    });
  });

  it.each([
    [{ title: null }, 'title'],
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(256) }, 'title'],
    [{ title: 'a\u0000' }, 'title'],
    [{ data: null }, 'data'],
    [{ project: null }, 'project'],
    [{ project: 'abc' }, 'project'],
    [{ project: 2147483648 }, 'project'],
    [{ project: -1 }, 'project'],
    [{ project: 1.5 }, 'project'],
    [{ run_fee: 1000 }, 'run_fee'],
    [{ run_fee: -1 }, 'run_fee'],
    [{ free_runs_per_user: -1 }, 'free_runs_per_user'],
    [{ free_runs_per_user: 2_000_000_000 }, 'free_runs_per_user'],
    [{ available_languages: 'en' }, 'available_languages'],
    [{ available_languages: ['english please'] }, 'available_languages'],
    [{ available_languages: ['\u0000'] }, 'available_languages.0'],
    [{ market_title: 'x'.repeat(256) }, 'market_title'],
    [{ short_description: 'x'.repeat(2_001) }, 'short_description'],
    [{ readme_guide: 'x'.repeat(100_001) }, 'readme_guide'],
    [{ category: 2147483648 }, 'category'],
  ])('refuses %j', async (bad, member) => {
    const project = await newProject();
    const { status, body } = await call('POST', BASE, { body: { project, title: 'a', data: greeting(), ...bad } });
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual([member]);
    expect((await call('GET', `${BASE}?project=${project}`)).body.total).toBe(0);
  });

  it('refuses an outsider’s project like one that does not exist', async () => {
    const project = await newProject();
    const body = { title: 'a', data: greeting() };
    const theirs = await bytesOf(service, 'POST', BASE, { key: ben.key, body: { ...body, project } });
    const missing = await bytesOf(service, 'POST', BASE, { key: ben.key, body: { ...body, project: 2_000_000_000 } });
    expect(theirs).toEqual(missing);
    expect(theirs).toMatchObject({ status: 400, text: '{"project":["Object does not exist."]}' });
  });
});

describe('listing workflows', () => {
  it('filters by project and title, and is ordered by position', async () => {
    const [first, second] = [await newProject(), await newProject()];
    for (const title of ['Alpha_1', 'alphaX1', '50% off']) await create(first, title);
    await create(second, 'ALPHA');
    const titles = async (query: string) => {
      const { status, body } = await call('GET', `${BASE}?${query}`);
      expect(status).toBe(200);
      return body.items.map((item: { title: string }) => item.title);
    };
    expect(await titles(`project=${first}`)).toEqual(['Alpha_1', 'alphaX1', '50% off']);
    expect(await titles(`project=${first}&title=ALPHA`)).toEqual(['Alpha_1', 'alphaX1']);
    expect(await titles(`project=${first}&title=a_1`)).toEqual(['Alpha_1']);
    expect(await titles(`project=${first}&title=%25`)).toEqual(['50% off']);
    expect(await titles(`project=${second}&title=alpha`)).toEqual(['ALPHA']);
    expect(await titles(`project=${first}&size=1&page=2`)).toEqual(['alphaX1']);
    expect(await titles(`project=${first}&size=2&page=9`)).toEqual([]);
    expect((await call('GET', `${BASE.slice(0, -1)}?project=${first}&size=0`)).body).toEqual({
      page: 1,
      size: 0,
      total: 3,
      items: [],
    });
  });

  it('finds nothing in projects of outsiders', async () => {
    const project = await newProject();
    await create(project);
    const theirs = await bytesOf(service, 'GET', `${BASE}?project=${project}`, { key: ben.key });
    const missing = await bytesOf(service, 'GET', `${BASE}?project=2000000000`, { key: ben.key });
    expect(theirs).toEqual(missing);
    expect(JSON.parse(theirs.text)).toMatchObject({ total: 0, items: [] });
  });

  it.each([
    'project=abc',
    'project=2147483648',
    'project=',
    'size=101',
    'page=0',
    'title=%00',
    `title=${'x'.repeat(256)}`,
  ])('refuses ?%s', async query => {
    const { status, body } = await call('GET', `${BASE}?${query}`);
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual([query.split('=')[0]]);
  });
});

describe('one workflow', () => {
  it('is retrieved and changed, with and without the last slash', async () => {
    const workflow = await create(await newProject());
    expect((await call('GET', `${BASE}${workflow.id}/`)).body).toEqual(workflow);
    expect((await call('GET', `${BASE}${workflow.id}`)).body).toEqual(workflow);
    const data = chain(trigger(), output('bye'));
    const changed = await call('PATCH', `${BASE}${workflow.id}`, { body: { title: 'Farewell', data } });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({ ...workflow, title: 'Farewell', data, updated_at: expect.any(String) });
    expect((await call('PATCH', `${BASE}${workflow.id}/`, { body: { run_fee: 5 } })).body).toMatchObject({
      title: 'Farewell',
      data,
      run_fee: 5,
    });
  });

  it('ignores members that the user may not set', async () => {
    const workflow = await create(await newProject());
    const other = await newProject();
    const { body } = await call('PATCH', `${BASE}${workflow.id}/`, {
      body: { id: 1, project: other, sort_id: 9, slug: 'mine', is_published: true, copied_from: 1, can_edit: false },
    });
    expect({ ...body, updated_at: '' }).toEqual({ ...workflow, updated_at: '' });
  });

  it.each([{ title: null }, { title: ' ' }, { data: null }, { data: [] }, { data: 'graph' }, { run_fee: 1.5 }])(
    'refuses the change %j',
    async body => {
      const workflow = await create(await newProject());
      const answer = await call('PATCH', `${BASE}${workflow.id}/`, { body });
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.body)).toEqual(Object.keys(body));
      expect((await call('GET', `${BASE}${workflow.id}/`)).body).toEqual(workflow);
    },
  );

  it('is copied inside its project as a new one', async () => {
    const project = await newProject();
    const original = await create(project, 'x'.repeat(255), { market_title: 'Market' });
    const { status, body: copy } = await call('POST', `${BASE}${original.id}/duplicate`);
    expect(status).toBe(201);
    expect(copy).toMatchObject({ project, data: original.data, sort_id: 2, market_title: 'Market', copied_from: null });
    expect(copy.title).toBe(`${'x'.repeat(248)} (copy)`);
    await call('PATCH', `${BASE}${copy.id}/`, { body: { data: chain(trigger()) } });
    expect((await call('GET', `${BASE}${original.id}/`)).body).toEqual(original);
  });

  it('is gone everywhere after deletion, except for its runs by their ids, and the positions have no gap', async () => {
    const project = await newProject();
    const [first, second, third] = [await create(project), await create(project), await create(project)];
    const run = await call('POST', `${BASE}${second.id}/run/`, { body: {} });
    const runId = run.body.data.id as string;
    expect(await call('DELETE', `${BASE}${second.id}/`)).toMatchObject({ status: 204, body: null });
    for (const [method, rest, body] of OPERATIONS) {
      const path = `${BASE}${second.id}/${rest.replace('RUN', runId)}`;
      expect(await call(method, path, { body })).toMatchObject({ status: 404, body: NOT_FOUND });
    }
    const poll = await call('GET', `${BASE}workflow_result/?id=${runId}`);
    expect(poll).toMatchObject({ status: 200, body: { data: { id: runId } } });
    const { items } = (await call('GET', `${BASE}?project=${project}`)).body;
    expect(items.map((item: { id: number; sort_id: number }) => [item.id, item.sort_id])).toEqual([
      [first.id, 1],
      [third.id, 2],
    ]);
  });

  it.each(['2147483648', '-1', 'abc', '%00'])('is not found under the id %s', async id => {
    for (const [method, rest, body] of OPERATIONS) {
      const path = `${BASE}${id}/${rest.replace('RUN', '0b0d4a3e-7f5c-4c59-9d3a-2f6b8f1f4a10')}`;
      expect(await call(method, path, { body })).toMatchObject({ status: 404, body: NOT_FOUND });
    }
  });
});

/** Every operation that names a workflow in its path; RUN stands for the id of a run. Deletion is the last. */
const OPERATIONS: [method: string, rest: string, body: unknown, viewerStatus: number][] = [
  ['GET', '', undefined, 200],
  ['PATCH', '', { title: 'Mine now' }, 403],
  ['POST', 'duplicate/', undefined, 400],
  ['POST', 'reorder/', { sort_id: 1 }, 400],
  ['GET', 'input-fields/', undefined, 200],
  ['GET', 'check_workflow/', undefined, 200],
  ['GET', 'history/', undefined, 200],
  ['GET', 'history/RUN/', undefined, 200],
  ['POST', 'run/', {}, 403],
  ['POST', 'history/RUN/re-run/', {}, 403],
  ['DELETE', '', undefined, 403],
];

describe('rights', () => {
  it.each(OPERATIONS)(
    'answer %s %s of an outsider’s workflow like one that does not exist',
    async (method, rest, body) => {
      const workflow = await create(await newProject());
      const runId = (await call('POST', `${BASE}${workflow.id}/run/`, { body: {} })).body.data.id;
      const path = (id: number) => `${BASE}${id}/${rest.replace('RUN', runId)}`;
      const theirs = await bytesOf(service, method, path(workflow.id), { key: ben.key, body });
      const missing = await bytesOf(service, method, path(2_000_000_000), { key: ben.key, body });
      expect(theirs.status).toBe(404);
      expect(theirs).toEqual(missing);
    },
  );

  it('let a viewer read and nothing else', async () => {
    const project = await newProject();
    const workflow = await create(project);
    const runId = (await call('POST', `${BASE}${workflow.id}/run/`, { body: {} })).body.data.id;
    await setRole(service, project, ben.email, 'viewer');
    expect((await call('GET', `${BASE}${workflow.id}/`, { key: ben.key })).body).toEqual({
      ...workflow,
      can_edit: false,
    });
    for (const [method, rest, body, status] of OPERATIONS) {
      const answer = await call(method, `${BASE}${workflow.id}/${rest.replace('RUN', runId)}`, { key: ben.key, body });
      expect([method, rest, answer.status]).toEqual([method, rest, status]);
      if (status !== 200) expect(answer.body.code).toBe('permission_denied');
    }
    const created = await call('POST', BASE, { key: ben.key, body: { project, title: 'a', data: greeting() } });
    expect(created.status).toBe(403);
  });

  it('let an editor change and run', async () => {
    const project = await newProject();
    const workflow = await create(project);
    const runId = (await call('POST', `${BASE}${workflow.id}/run/`, { body: {} })).body.data.id;
    await setRole(service, project, ben.email, 'editor');
    for (const [method, rest, body] of OPERATIONS) {
      const answer = await call(method, `${BASE}${workflow.id}/${rest.replace('RUN', runId)}`, { key: ben.key, body });
      expect([200, 201, 204]).toContain(answer.status);
    }
  });

  it('need a key', async () => {
    for (const [method, path] of [
      ['GET', BASE],
      ['POST', BASE],
      ['GET', `${BASE}get_nodes/`],
      ['GET', `${BASE}1/`],
    ] as const)
      expect(await call(method, path, { key: null })).toMatchObject({
        status: 401,
        body: { code: 'not_authenticated' },
      });
  });
});

describe('reordering', () => {
  const order = async (project: number) =>
    (await call('GET', `${BASE}?project=${project}&size=100`)).body.items.map(
      (item: { title: string; sort_id: number }) => `${item.sort_id}${item.title}`,
    );

  it('shifts the others and clamps the target', async () => {
    const project = await newProject();
    const other = await create(await newProject(), 'z');
    const [a, , c] = [await create(project, 'a'), await create(project, 'b'), await create(project, 'c')];
    await create(project, 'd');
    const { status, body } = await call('POST', `${BASE}${a.id}/reorder/`, { body: { sort_id: 3 } });
    expect({ status, body }).toEqual({ status: 200, body: { ...a, sort_id: 3 } });
    expect(await order(project)).toEqual(['1b', '2c', '3a', '4d']);
    await call('POST', `${BASE}${c.id}/reorder`, { body: { sort_id: 99 } });
    expect(await order(project)).toEqual(['1b', '2a', '3d', '4c']);
    await call('POST', `${BASE}${c.id}/reorder/`, { body: { sort_id: -2147483648 } });
    expect(await order(project)).toEqual(['1c', '2b', '3a', '4d']);
    await call('POST', `${BASE}${c.id}/reorder/`, { body: { sort_id: 1 } });
    expect(await order(project)).toEqual(['1c', '2b', '3a', '4d']);
    expect((await call('GET', `${BASE}${other.id}/`)).body.sort_id).toBe(1);
  });

  it.each([{}, { sort_id: null }, { sort_id: '2' }, { sort_id: 1.5 }, { sort_id: 2147483648 }])(
    'refuses %j',
    async body => {
      const workflow = await create(await newProject());
      const answer = await call('POST', `${BASE}${workflow.id}/reorder/`, { body });
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.body)).toEqual(['sort_id']);
    },
  );

  it('keeps the positions 1…n when everything happens at once', async () => {
    const project = await newProject();
    const ids: number[] = [];
    for (let at = 0; at < 6; at++) ids.push((await create(project, `w${at}`)).id);
    const moves = ids.flatMap((id, at) =>
      [1, 6, 3].map(to => call('POST', `${BASE}${id}/reorder/`, { body: { sort_id: ((to + at) % 6) + 1 } })),
    );
    const statuses = await Promise.all([
      ...moves,
      call('DELETE', `${BASE}${ids[5]}/`),
      call('POST', `${BASE}${ids[0]}/duplicate/`),
      create(project, 'new'),
    ]);
    expect(statuses.filter(({ status }) => status >= 500)).toEqual([]);
    const { items } = (await call('GET', `${BASE}?project=${project}&size=100`)).body;
    expect(items.map((item: { sort_id: number }) => item.sort_id)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});
