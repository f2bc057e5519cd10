import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setRole } from '../support/members.js';
import { type RestOptions, startTestService, type TestService } from '../support/service.js';
import { bytesOf } from './bytes-of.js';
import { restAsDeclared } from './declared-answers.js';

const NOT_FOUND = { detail: 'Not found.', code: 'not_found' };

let service: TestService;
let ann: { email: string; key: string };
let ben: { email: string; key: string };
const call = (method: string, path: string, options: RestOptions = {}) =>
  restAsDeclared(service, method, path, { key: ann.key, ...options });
const create = async (body: unknown = { name: 'Support' }, key = ann.key) =>
  (await call('POST', '/api/v1/projects/', { body, key })).body;

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
});
afterAll(() => service?.stop());

describe('creating a project', () => {
  it('answers 201 with every member of the record', async () => {
    const { status, body } = await call('POST', '/api/v1/projects/', {
      body: { name: 'Support', webhook_url: 'https://example.com/hook', is_webhook_enabled: true },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Support',
      total_spent: { USD: '0', SR: '0' },
      attached_provider_keys: [],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
      webhook_url: 'https://example.com/hook',
      is_webhook_enabled: true,
      can_edit: true,
    });
  });

  it('leaves out what is not sent and ignores unknown members', async () => {
    const project = await create({ name: 'Plain', id: 7, total_spent: { USD: '9' }, nonsense: { deep: [1] } });
    expect(project).toMatchObject({ webhook_url: '', is_webhook_enabled: false, total_spent: { USD: '0', SR: '0' } });
    expect(project.id).not.toBe(7);
    const cleared = await create({ name: 'Nulls', webhook_url: null, is_webhook_enabled: null });
    expect(cleared).toMatchObject({ webhook_url: '', is_webhook_enabled: false });
  });

  it.each([
    [{}, { name: ['This field is required.'] }],
    [{ name: null }, { name: ['This field may not be null.'] }],
    [{ name: '  ' }, { name: ['This field may not be blank.'] }],
    [{ name: 7 }, { name: ['Not a valid string.'] }],
    [{ name: 'x'.repeat(256) }, { name: ['Ensure this field has no more than 255 characters.'] }],
    [{ name: 'a\u0000b' }, { name: ['Null characters are not allowed.'] }],
    [{ name: 'a', is_webhook_enabled: 'yes' }, { is_webhook_enabled: ['Must be a valid boolean.'] }],
  ])('refuses %j', async (body, fields) => {
    expect(await call('POST', '/api/v1/projects/', { body })).toMatchObject({ status: 400, body: fields });
  });

  it('refuses a lone surrogate', async () => {
    const answer = await call('POST', '/api/v1/projects/', { body: { name: 'half \ud83d' } });
    expect(answer).toMatchObject({ status: 400, body: { name: [expect.stringContaining('urrogate')] } });
  });

  it.each(['ftp://example.com/x', 'javascript:alert(1)', 'example.com', 'http://user:pass@example.com/', 'http://'])(
    'refuses %s as a webhook',
    async url => {
      const { status, body } = await call('POST', '/api/v1/projects/', { body: { name: 'a', webhook_url: url } });
      expect(status).toBe(400);
      expect(Object.keys(body)).toEqual(['webhook_url']);
    },
  );

  it('refuses what is not a JSON object', async () => {
    const json = { 'Content-Type': 'application/json' };
    const broken = await call('POST', '/api/v1/projects/', { body: '{"name": ', headers: json });
    expect(broken).toMatchObject({ status: 400, body: { code: 'parse_error' } });
    expect(broken.body.detail).toMatch(/^JSON parse error - /);
    const list = await call('POST', '/api/v1/projects/', { body: '[]', headers: json });
    expect(list).toMatchObject({ status: 400, body: { non_field_errors: ['Invalid data. Expected an object.'] } });
    const form = await call('POST', '/api/v1/projects/', { body: 'name=a', headers: { 'Content-Type': 'text/csv' } });
    expect(form).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });
});

describe('listing projects', () => {
  beforeAll(async () => {
    for (const name of ['100% sure', '100 percent', 'snake_case', 'snakeXcase', 'Back\\slash'])
      await create({ name }, ben.key);
  });

  const names = async (query: string) => {
    const { status, body } = await call('GET', `/api/v1/projects/${query}`, { key: ben.key });
    expect(status).toBe(200);
    return body.items.map((item: { name: string }) => item.name);
  };

  it('answers the envelope, newest first', async () => {
    const { body } = await call('GET', '/api/v1/projects/?size=2', { key: ben.key });
    expect(body).toMatchObject({ page: 1, size: 2, total: 5 });
    expect(body.items.map((item: { name: string }) => item.name)).toEqual(['Back\\slash', 'snakeXcase']);
    expect(await names('?size=2&page=3')).toEqual(['100% sure']);
    expect(await names('?page_size=1&page=2')).toEqual(['snakeXcase']);
  });

  it('is empty past the end and at size 0', async () => {
    expect((await call('GET', '/api/v1/projects/?page=99', { key: ben.key })).body).toMatchObject({
      total: 5,
      items: [],
    });
    expect((await call('GET', '/api/v1/projects/?page=2147483647&size=100')).body.items).toEqual([]);
    expect((await call('GET', '/api/v1/projects/?size=0', { key: ben.key })).body).toEqual({
      page: 1,
      size: 0,
      total: 5,
      items: [],
    });
  });

  it.each([
    ['size=101', 'size'],
    ['size=-1', 'size'],
    ['size=abc', 'size'],
    ['size=1.5', 'size'],
    ['page_size=101', 'page_size'],
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=2147483648', 'page'],
    ['page=', 'page'],
  ])('refuses ?%s', async (query, member) => {
    const { status, body } = await call('GET', `/api/v1/projects/?${query}`);
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual([member]);
  });

  it('ignores unknown parameters', async () => {
    expect((await call('GET', '/api/v1/projects/?limit=abc&nonsense', { key: ben.key })).body.total).toBe(5);
  });

  it('finds parts of the name in any case, with % and _ literal', async () => {
    expect(await names('?name__icontains=SNAKE')).toEqual(['snakeXcase', 'snake_case']);
    expect(await names('?name__icontains=100%25')).toEqual(['100% sure']);
    expect(await names('?name__icontains=_')).toEqual(['snake_case']);
    expect(await names('?name__icontains=%5C')).toEqual(['Back\\slash']);
    expect(await names('?name__icontains=')).toHaveLength(5);
    const bad = await call('GET', '/api/v1/projects/?name__icontains=%00');
    expect(bad).toMatchObject({ status: 400, body: { name__icontains: [expect.any(String)] } });
    const long = await call('GET', `/api/v1/projects/?name__icontains=${'x'.repeat(256)}`);
    expect(long).toMatchObject({ status: 400, body: { name__icontains: [expect.any(String)] } });
  });

  it('shows each user their own, and administrators all', async () => {
    expect((await call('GET', '/api/v1/projects/?name__icontains=snake')).body.total).toBe(0);
    expect((await call('GET', '/api/v1/projects/?name__icontains=snake', { key: service.key })).body.total).toBe(2);
  });
});

describe('one project', () => {
  it('is retrieved with and without the last slash', async () => {
    const project = await create();
    for (const path of [`/api/v1/projects/${project.id}/`, `/api/v1/projects/${project.id}`])
      expect(await call('GET', path)).toMatchObject({ status: 200, body: project });
  });

  it('changes only in three members', async () => {
    const project = await create({ name: 'Old', webhook_url: 'https://example.com/a' });
    const { status, body } = await call('PATCH', `/api/v1/projects/${project.id}/`, {
      body: { name: ' New ', id: 1, total_spent: { USD: '5' }, stopwords: ['x'], created_at: '2020-01-01' },
    });
    expect(status).toBe(200);
    const { updated_at: updatedAt, ...rest } = body;
    expect(rest).toEqual({ ...project, name: 'New', updated_at: undefined });
    expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(project.updated_at));
    const all = { name: 'Third', webhook_url: '', is_webhook_enabled: true };
    expect((await call('PATCH', `/api/v1/projects/${project.id}`, { body: all })).body).toMatchObject(all);
    expect((await call('PATCH', `/api/v1/projects/${project.id}/`)).body).toMatchObject(all);
  });

  it('keeps everything when one member of a change is bad', async () => {
    const project = await create();
    const path = `/api/v1/projects/${project.id}/`;
    const { status, body } = await call('PATCH', path, { body: { name: 'Other', webhook_url: 'nowhere' } });
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual(['webhook_url']);
    expect(await call('PATCH', path, { body: { name: null } })).toMatchObject({
      status: 400,
      body: { name: ['This field may not be null.'] },
    });
    expect((await call('GET', path)).body).toEqual(project);
  });

  it('is gone after deletion, with its content', async () => {
    const project = await create();
    const path = `/api/v1/projects/${project.id}/`;
    expect(await call('DELETE', path)).toMatchObject({ status: 204, body: null });
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(await call(method, path, method === 'PATCH' ? { body: {} } : {})).toMatchObject({
        status: 404,
        body: NOT_FOUND,
      });
  });

  it('shows amounts as normalized decimals in both currencies', async () => {
    const project = await create();
    await service.sql('update project set total_spent_usd = $2 where id = $1', [project.id, '0.0125000']);
    const { body } = await call('GET', `/api/v1/projects/${project.id}/`);
    expect(body.total_spent).toEqual({ USD: '0.0125', SR: '1.25' });
    await service.sql('update project set total_spent_usd = $2 where id = $1', [project.id, '0.000000000012']);
    expect((await call('GET', `/api/v1/projects/${project.id}/`)).body.total_spent).toEqual({
      USD: '0.000000000012',
      SR: '0.0000000012',
    });
  });

  it.each(['2147483648', '-1', '0', 'abc', '1.5', '%00', '9'.repeat(40), '1e3'])(
    'is not found under the id %s',
    async id => {
      for (const [method, rest] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['GET', 'get-stopwords/'],
      ] as const) {
        const options = method === 'PATCH' ? { body: { name: 'x' } } : {};
        const answer = await call(method, `/api/v1/projects/${id}/${rest}`, options);
        expect(answer).toMatchObject({ status: 404, body: NOT_FOUND });
      }
    },
  );

  it('answers other methods 405 with Allow', async () => {
    const { status, headers, body } = await service.rest('PUT', '/api/v1/projects/1/', { key: ann.key });
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, PATCH, DELETE, HEAD, OPTIONS');
    expect(body.code).toBe('method_not_allowed');
  });
});

describe('stopwords', () => {
  it('are trimmed, lower-cased and freed of duplicates', async () => {
    const { id } = await create();
    expect((await call('GET', `/api/v1/projects/${id}/get-stopwords/`)).body).toEqual({ stopwords: [] });
    const { status, body } = await call('POST', `/api/v1/projects/${id}/set-stopwords/`, {
      body: { stopwords: [' The', 'THE', 'of ', '', '  ', 'ÄRGER'] },
    });
    expect({ status, body }).toEqual({ status: 200, body: { stopwords: ['the', 'of', 'ärger'] } });
    expect((await call('GET', `/api/v1/projects/${id}/get-stopwords`)).body).toEqual(body);
    const emptied = await call('POST', `/api/v1/projects/${id}/set-stopwords`, { body: { stopwords: [] } });
    expect(emptied.body).toEqual({ stopwords: [] });
  });

  it.each([
    [{}, 'stopwords'],
    [{ stopwords: null }, 'stopwords'],
    [{ stopwords: 'the' }, 'stopwords'],
    [{ stopwords: ['a', 7] }, 'stopwords.1'],
    [{ stopwords: ['a', null] }, 'stopwords.1'],
    [{ stopwords: ['a\u0000'] }, 'stopwords.0'],
    [{ stopwords: ['x'.repeat(256)] }, 'stopwords'],
  ])('refuse %j', async (body, member) => {
    const { id } = await create();
    const answer = await call('POST', `/api/v1/projects/${id}/set-stopwords/`, { body });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body)).toEqual([member]);
  });
});

describe('rights', () => {
  const operations = [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'Mine now' }],
    ['DELETE', '', undefined],
    ['GET', 'get-stopwords/', undefined],
    ['POST', 'set-stopwords/', { stopwords: ['a'] }],
  ] as const;

  it.each(operations)(
    'answers %s %s of an outsider’s project like one that does not exist',
    async (method, rest, body) => {
      const { id } = await create();
      const theirs = await bytesOf(service, method, `/api/v1/projects/${id}/${rest}`, { key: ben.key, body });
      const missing = await bytesOf(service, method, `/api/v1/projects/2000000000/${rest}`, { key: ben.key, body });
      expect(theirs.status).toBe(404);
      expect(theirs).toEqual(missing);
    },
  );

  it.each([
    ['viewer', false, [200, 403, 403, 200, 403]],
    ['editor', true, [200, 403, 403, 200, 200]],
    ['admin', true, [200, 200, 403, 200, 200]],
    ['owner', true, [200, 200, 204, 200, 200]],
  ])('of a %s', async (role, canEdit, statuses) => {
    const { id } = await create();
    await setRole(service, id, ben.email, role);
    expect((await call('GET', `/api/v1/projects/${id}/`, { key: ben.key })).body.can_edit).toBe(canEdit);
    const found: number[] = [];
    // The deletion, operation 2, comes last.
    for (const at of [0, 1, 3, 4, 2]) {
      const [method, rest, body] = operations[at] as (typeof operations)[number];
      found[at] = (await call(method, `/api/v1/projects/${id}/${rest}`, { key: ben.key, body })).status;
    }
    expect(found).toEqual(statuses);
  });

  it('need a key', async () => {
    const { id } = await create();
    for (const [method, rest, body] of operations) {
      const answer = await call(method, `/api/v1/projects/${id}/${rest}`, { key: null, body });
      expect(answer).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
      expect(answer.headers.get('www-authenticate')).toBe('X-Api-Key');
    }
    const wrong = await call('GET', '/api/v1/projects/', { key: 'sk-not-a-key-at-all' });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
  });
});

it.each([
  ...['workflows', 'all-workflows', 'scenarios', 'messages', 'prompts'],
  ...['variables', 'keywords', 'keywordruns', 'documents', 'recognitionruns'],
])('the list of %s is empty for a project that the caller cannot access, and refuses other ids', async list => {
  const { id } = await create(undefined, ben.key);
  for (const project of [id, 2_000_000_000]) {
    const { status, body } = await call('GET', `/api/v1/${list}/?project=${project}`);
    expect([status, body]).toEqual([200, { page: 1, size: 10, total: 0, items: [] }]);
  }
  for (const project of [0, -1, 'x']) {
    const { status, body } = await call('GET', `/api/v1/${list}/?project=${project}`);
    expect([status, Object.keys(body)]).toEqual([400, ['project']]);
  }
});
