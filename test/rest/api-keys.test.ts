import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readPayloadErrors, withPayloadErrors } from '../support/payload-errors.js';
import { type RestOptions, startTestService, type TestService } from '../support/service.js';
import { bearer, createLogin, type Login } from '../support/sessions.js';
import { bytesOf } from './bytes-of.js';
import { restAsDeclared } from './declared-answers.js';

let service: TestService;
let ann: Login;
let ben: { email: string; key: string };
beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  ann = await createLogin(service, 'ann');
  ben = await service.createUser('ben');
});
afterAll(() => service?.stop());

const call = (method: string, path: string, options: RestOptions = {}) =>
  restAsDeclared(service, method, path, { ...bearer(ann.access), ...options });
const create = (body: unknown, options: RestOptions = {}) => call('POST', '/api/v1/api-keys/', { body, ...options });
const statusWith = async (key: string) => (await service.rest('GET', '/api/v1/projects/', { key })).status;

describe('creating a key', () => {
  it('shows the key once, and the key grants access to the API', async () => {
    const { status, body } = await create({ name: ' Laptop ' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Laptop',
      prefix: body.key.slice(0, 6),
      rate_limit: null,
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      expires_at: null,
      key: expect.stringMatching(/^sk-[\w-]{43}$/),
    });
    expect(await statusWith(body.key)).toBe(200);
    const { key: text, ...record } = body;
    const list = await call('GET', '/api/v1/api-keys/?size=1');
    expect(list.body).toEqual({
      page: 1,
      size: 1,
      total: 1,
      items: [{ ...record, last_used_at: expect.stringMatching(/Z$/) }],
    });
    expect(JSON.stringify(await service.sql('select * from api_key'))).not.toContain(text.slice(6));
  });

  it.each([
    [{}, { name: ['This field is required.'] }],
    [{ name: null }, { name: ['This field may not be null.'] }],
    [{ name: ' ' }, { name: ['This field may not be blank.'] }],
    [{ name: 'x'.repeat(256) }, { name: [expect.any(String)] }],
    [{ name: 'a', expires_at: 'tomorrow' }, { expires_at: [expect.any(String)] }],
    [{ name: 'a', expires_at: '2025-02-30T00:00:00Z' }, { expires_at: [expect.any(String)] }],
    [{ name: 'a', expires_at: '2020-01-01T00:00:00Z' }, { expires_at: ['Ensure this moment is in the future.'] }],
    [{ name: 'a', rate_limit: -1 }, { rate_limit: [expect.any(String)] }],
    [{ name: 'a', rate_limit: 1.5 }, { rate_limit: [expect.any(String)] }],
  ])('refuses %j', async (body, fields) => {
    expect(await create(body)).toMatchObject({ status: 400, body: fields });
  });

  it('treats null like an omitted member', async () => {
    const { status, body } = await create({ name: 'nulls', expires_at: null, user: null, rate_limit: null });
    expect([status, body.expires_at, body.rate_limit]).toEqual([201, null, null]);
  });

  it('needs the permission, which administrators grant and withdraw', async () => {
    const guest = await createLogin(service, 'guest', { isApiAllowed: false });
    const asGuest = () => create({ name: 'a' }, bearer(guest.access));
    expect(await asGuest()).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
    const allow = (isApiAllowed: boolean) =>
      service.graphql(
        'mutation ($id: Int!, $input: UserUpdateInput!) { userUpdate(id: $id, input: $input) { user { id } } }',
        {
          id: guest.id,
          input: { isApiAllowed },
        },
      );
    await allow(true);
    const { body } = await asGuest();
    expect(await statusWith(body.key)).toBe(200);
    await allow(false);
    expect(await statusWith(body.key)).toBe(401);
  });

  it('is refused beyond a hundred keys of a user, also for simultaneous requests', async () => {
    const login = await createLogin(service, 'collector');
    await service.sql(
      `insert into api_key (user_id, name, prefix, hash)
       select $1, 'old', 'sk-old', decode(md5(n::text || 'collector'), 'hex') from generate_series(1, 98) n`,
      [login.id],
    );
    const answers = await Promise.all([1, 2, 3, 4].map(() => create({ name: 'new' }, bearer(login.access))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
  });

  it('leaves owner and limit to administrators', async () => {
    for (const body of [
      { name: 'a', rate_limit: 0 },
      { name: 'a', user: 1 },
    ])
      expect((await create(body)).status).toBe(403);
    const admin = { key: service.key, headers: {} };
    const made = await create({ name: 'for ann', user: ann.id, rate_limit: 7 }, admin);
    expect(made).toMatchObject({ status: 201, body: { rate_limit: 7 } });
    expect((await call('GET', '/api/v1/api-keys/?size=100')).body.items).toContainEqual(
      expect.objectContaining({ id: made.body.id, rate_limit: 7 }),
    );
    const unknownUser = await create({ name: 'a', user: 2_000_000_000 }, admin);
    expect(unknownUser).toMatchObject({ status: 400, body: { user: ['Object does not exist.'] } });
  });
});

describe('a key', () => {
  it('is refused once it has expired', async () => {
    const { body } = await create({ name: 'short', expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    expect(await statusWith(body.key)).toBe(200);
    await service.sql(`update api_key set expires_at = now() - interval '1 second' where id = $1`, [body.id]);
    expect(await statusWith(body.key)).toBe(401);
  });

  it('is refused once it is deleted, and can delete itself', async () => {
    const { body } = await create({ name: 'gone' });
    const path = `/api/v1/api-keys/${body.id}/`;
    expect(await call('DELETE', path)).toMatchObject({ status: 204, body: null });
    expect(await statusWith(body.key)).toBe(401);
    expect((await call('DELETE', path)).status).toBe(404);

    const own = (await create({ name: 'own' })).body;
    const itself = await call('DELETE', `/api/v1/api-keys/${own.id}`, { key: own.key, headers: {} });
    expect(itself.status).toBe(204);
    expect(await statusWith(own.key)).toBe(401);
  });

  it('is deleted once when two callers delete it at once', async () => {
    const { body } = await create({ name: 'twice' });
    const answers = await Promise.all([1, 2, 3].map(() => call('DELETE', `/api/v1/api-keys/${body.id}/`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    const entries = await service.sql(`select 1 from audit_entry where action = 'api-key.delete' and object_id = $1`, [
      String(body.id),
    ]);
    expect(entries).toHaveLength(1);
  });

  it('of another user gets the same response as one that does not exist', async () => {
    const { body } = await create({ name: 'mine' });
    const theirs = await bytesOf(service, 'DELETE', `/api/v1/api-keys/${body.id}/`, { key: ben.key });
    expect(theirs.status).toBe(404);
    expect(theirs).toEqual(await bytesOf(service, 'DELETE', '/api/v1/api-keys/2000000000/', { key: ben.key }));
    expect(await statusWith(body.key)).toBe(200);
    expect((await call('DELETE', `/api/v1/api-keys/${body.id}/`, { key: service.key })).status).toBe(204);
  });

  it('records its last use at most once a minute, also for simultaneous requests', async () => {
    const { body } = await create({ name: 'used' });
    const lastUse = async () =>
      (await service.sql('select last_used_at, xmin::text from api_key where id = $1', [body.id]))[0] as {
        last_used_at: Date | null;
        xmin: string;
      };
    await Promise.all(Array.from({ length: 8 }, () => statusWith(body.key)));
    const first = await lastUse();
    expect(first.last_used_at).not.toBeNull();
    await statusWith(body.key);
    expect(await lastUse()).toEqual(first);
    await service.sql(`update api_key set last_used_at = now() - interval '61 seconds' where id = $1`, [body.id]);
    await statusWith(body.key);
    expect((await lastUse()).last_used_at?.getTime()).toBeGreaterThanOrEqual(first.last_used_at?.getTime() ?? 0);
  });
});

describe('keys in GraphQL', () => {
  const KEYS = '{ apiKeys(size: 100) { total items { id name key userId } } }';
  const ask = async (query: string, variables: object, options: RestOptions) => {
    const body = { query: withPayloadErrors(query), variables };
    const answer = await service.rest('POST', '/graphql', { body, ...options });
    return { ...answer, body: readPayloadErrors(answer.body) };
  };

  it('are listed without their text, and those of other users only for administrators', async () => {
    await create({ name: 'listed' });
    const own = (await ask(KEYS, {}, bearer(ann.access))).body.data.apiKeys;
    expect(own.items.length).toBe(own.total);
    for (const item of own.items) expect(item).toMatchObject({ key: null, userId: ann.id });
    const keysOfAnn = `{ apiKeys(userId: ${ann.id}) { total } }`;
    expect((await ask(keysOfAnn, {}, { key: service.key })).body.data.apiKeys.total).toBe(own.total);
    expect((await ask(keysOfAnn, {}, { key: ben.key })).body.errors[0].extensions).toEqual({ code: 'FORBIDDEN' });
    expect((await ask(keysOfAnn, {}, { key: null })).body.errors[0].extensions).toEqual({ code: 'UNAUTHENTICATED' });
  });

  it('get their limit from administrators; null and absent differ', async () => {
    const { id } = (await create({ name: 'limited' })).body;
    const update = (input: object, key = service.key) =>
      ask(
        'mutation ($id: Int!, $input: ApiKeyUpdateInput!) { apiKeyUpdate(id: $id, input: $input) { apiKey { rateLimit } } }',
        { id, input },
        { key },
      );
    expect((await update({ rateLimit: 0 })).body.data.apiKeyUpdate.apiKey).toEqual({ rateLimit: 0 });
    expect((await update({})).body.data.apiKeyUpdate.apiKey).toEqual({ rateLimit: 0 });
    expect((await update({ rateLimit: null })).body.data.apiKeyUpdate.apiKey).toEqual({ rateLimit: null });
    expect((await update({ rateLimit: 1_000_001 })).body.errors[0].extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      fields: { rateLimit: [expect.any(String)] },
    });
    expect((await update({ rateLimit: 5 }, ben.key)).body.errors[0].extensions).toEqual({ code: 'FORBIDDEN' });
  });
});
