import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { testEnvironment } from '../support/config.js';
import { type ServiceProcess, startProcess } from '../support/processes/process.js';
import { type RestAnswer, startTestService, type TestService } from '../support/service.js';

const LIMIT = 60;
const LIST = '/api/v1/projects/?size=0';

let service: TestService;
let key: string;
let user = 0;

beforeAll(async () => {
  service = await startTestService({ role: 'api', rateLimitPerMinute: LIMIT });
});
afterAll(() => service?.stop());
beforeEach(async () => {
  ({ key } = await service.createUser(`user-${user++}`));
});

const list = (url = service.url) => fetch(`${url}${LIST}`, { headers: { 'X-Api-Key': key } });
const query = (text: string, more: object = {}) =>
  service.rest('POST', '/graphql', { key, body: { query: text, ...more } });

/** The number of requests in the window of `key`. */
const used = async () => (await windowOf(key))?.used ?? 0;

async function windowOf(text: string): Promise<{ used: number; opened_at: Date } | undefined> {
  const hash = createHash('sha256').update(text).digest();
  const [row] = await service.sql<{ used: number; opened_at: Date }>(
    'select w.used, w.opened_at from api_key_window w join api_key k on k.id = w.api_key_id where k.hash = $1',
    [hash],
  );
  return row;
}

const setLimit = (limit: number | null) =>
  service.sql('update api_key set rate_limit = $2 where hash = $1', [createHash('sha256').update(key).digest(), limit]);

/** Moves the start of the window back by this time. */
const age = (seconds: number) =>
  service.sql('update api_key_window set opened_at = opened_at - make_interval(secs => $1)', [seconds]);

describe('parallel requests', () => {
  it('get through exactly as many as the limit', async () => {
    const statuses = await Promise.all(Array.from({ length: 200 }, async () => (await list()).status));
    expect(Object.entries(Object.groupBy(statuses, String)).map(([status, all]) => [status, all?.length])).toEqual([
      ['200', LIMIT],
      ['429', 200 - LIMIT],
    ]);
    expect(await used()).toBe(LIMIT);
  });

  describe('spread over two processes', () => {
    let other: ServiceProcess;
    beforeAll(async () => {
      const environment = { ...testEnvironment(service.database), RATE_LIMIT_PER_MINUTE: String(LIMIT) };
      other = await startProcess({ ...environment, ROLE: 'api' });
    });
    afterAll(() => other?.end());

    it('share one limit', async () => {
      const answers = await Promise.all(
        Array.from({ length: 200 }, async (_, index) => (await list(index % 2 ? other.url : service.url)).status),
      );
      expect(answers.filter(status => status === 200)).toHaveLength(LIMIT);
      expect(answers.filter(status => status === 429)).toHaveLength(200 - LIMIT);
    });
  });

  it('of different keys do not affect each other', async () => {
    const { key: second } = await service.createUser(`user-${user++}`);
    const keys = Array.from({ length: 100 }, (_, index) => (index % 2 ? key : second));
    const answers = await Promise.all(keys.map(each => service.rest('GET', LIST, { key: each })));
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
    expect([await used(), (await windowOf(second))?.used]).toEqual([50, 50]);
  });

  it('each report the remaining requests', async () => {
    const answers = await Promise.all(Array.from({ length: LIMIT }, () => service.rest('GET', LIST, { key })));
    const remaining = answers.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: LIMIT }, (_, index) => index));
  });

  it('of different weight are granted as a whole or not at all', async () => {
    await setLimit(10);
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => query('{ a: __typename b: __typename c: __typename }')),
      ...Array.from({ length: 8 }, () => query('{ __typename }')),
    ]);
    const granted = answers.map(({ status }, index): number => (status === 200 ? (index < 8 ? 3 : 1) : 0));
    expect(granted.reduce((sum, cost) => sum + cost, 0)).toBe(await used());
    expect(await used()).toBe(10);
  });
});

describe('the headers', () => {
  const limitHeaders = ({ headers }: RestAnswer) => ({
    policy: headers.get('ratelimit-policy'),
    state: headers.get('ratelimit'),
    limit: headers.get('x-ratelimit-limit'),
    remaining: headers.get('x-ratelimit-remaining'),
  });

  it('report the limit, the remaining requests and the end of the window, by REST and GraphQL', async () => {
    expect(limitHeaders(await service.rest('GET', LIST, { key }))).toEqual({
      policy: '"key";q=60;w=60',
      state: '"key";r=59;t=60',
      limit: '60',
      remaining: '59',
    });
    await age(20);
    const { headers } = await query('{ __typename }');
    const seconds = Number(/^"key";r=58;t=(\d+)$/.exec(headers.get('ratelimit') ?? '')?.[1]);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(40);
    const reset = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000;
    expect(reset).toBeLessThanOrEqual(seconds + 2);
    expect(reset).toBeGreaterThan(0);
  });

  it('are present on refusals of an operation too', async () => {
    const answer = await service.rest('GET', '/api/v1/projects/2147483647/', { key });
    expect([answer.status, limitHeaders(answer).remaining]).toEqual([404, '59']);
    const created = await service.rest('POST', '/api/v1/projects/', { key, body: {} });
    expect([created.status, limitHeaders(created).remaining]).toEqual([400, '58']);
  });

  it('are absent where nothing is counted', async () => {
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs', '/nowhere'])
      expect(limitHeaders(await asText(path)).state).toBeNull();
    expect(limitHeaders(await service.rest('GET', LIST, { key: null })).state).toBeNull();
    expect(limitHeaders(await service.rest('GET', LIST, { key: 'sk-wrong-wrong-wrong' })).state).toBeNull();
    expect(await used()).toBe(0);
  });

  async function asText(path: string): Promise<RestAnswer> {
    const { status, headers } = await fetch(`${service.url}${path}`, { headers: { 'X-Api-Key': key } });
    return { status, headers, body: null };
  }
});

describe('a request over the limit', () => {
  beforeEach(() => setLimit(2));

  it('is 429 with the time to wait, and is not counted', async () => {
    await list();
    await list();
    const before = await windowOf(key);
    const { status, headers, body } = await service.rest('GET', LIST, { key });
    expect(status).toBe(429);
    expect(body).toEqual({ detail: expect.stringMatching(/^Request was throttled/), code: 'rate_limited' });
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(headers.get('ratelimit')).toBe(`"key";r=0;t=${seconds}`);
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(await windowOf(key)).toEqual(before);
  });

  it('is RATE_LIMITED by GraphQL, with the same status and headers', async () => {
    await query('{ a: __typename b: __typename }');
    const { status, headers, body } = await query('{ __typename }');
    expect(status).toBe(429);
    expect(body.errors[0].extensions).toEqual({ code: 'RATE_LIMITED', retryAfter: expect.any(Number) });
    expect(Number(headers.get('retry-after'))).toBe(body.errors[0].extensions.retryAfter);
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
  });

  it('succeeds when the window has ended, and not before', async () => {
    await list();
    await list();
    await age(40);
    expect((await list()).status).toBe(429);
    await age(20);
    const next = await list();
    expect([next.status, next.headers.get('ratelimit')]).toEqual([200, '"key";r=1;t=60']);
  });

  it('changes nothing', async () => {
    await list();
    await list();
    expect((await service.rest('POST', '/api/v1/projects/', { key, body: { name: 'Refused' } })).status).toBe(429);
    expect((await query('mutation { projectCreate(input: { name: "Refused" }) { project { id } } }')).status).toBe(429);
    expect(await service.sql(`select 1 from project where name = 'Refused'`)).toEqual([]);
  });
});

describe('a key’s own limit', () => {
  it('replaces the default, whether it is higher or lower', async () => {
    await setLimit(1);
    expect([(await list()).status, (await list()).status]).toEqual([200, 429]);
    await setLimit(1_000);
    const { status, headers } = await list();
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, '998']);
  });

  it('set below the used number refuses, and shows nothing left', async () => {
    await Promise.all(Array.from({ length: 10 }, () => list()));
    await setLimit(5);
    const { status, headers } = await list();
    expect([status, headers.get('ratelimit-policy'), headers.get('x-ratelimit-remaining')]).toEqual([
      429,
      '"key";q=5;w=60',
      '0',
    ]);
  });

  it('of 0 means no limit: nothing is counted or reported', async () => {
    await setLimit(0);
    const statuses = await Promise.all(Array.from({ length: 100 }, async () => (await list()).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await list()).headers.get('ratelimit')).toBeNull();
    expect(await used()).toBe(0);
  });

  it('is deleted with the key', async () => {
    await list();
    await service.sql('delete from api_key where hash = $1', [createHash('sha256').update(key).digest()]);
    expect((await list()).status).toBe(401);
    expect(await windowOf(key)).toBeUndefined();
  });
});

describe('a GraphQL request', () => {
  it.each([
    ['one field', '{ projects { total } }', 1],
    ['aliases', '{ a: projects { total } b: projects { total } c: __typename }', 3],
    ['the same field twice', '{ projects { total } projects { page } }', 1],
    ['fragments', 'query { ...F ...F ... { c: __typename } } fragment F on Query { a: __typename b: __typename }', 3],
    ['a circle of fragments', '{ ...A } fragment A on Query { a: __typename ...A }', 1],
    ['a syntax error', '{ projects(', 1],
    ['an unknown field', '{ nonsense other }', 2],
  ])('is counted once for each root field: %s', async (_what, text, count) => {
    await query(text);
    expect(await used()).toBe(count);
  });

  it('counts the named operation', async () => {
    const text = 'query A { a: __typename } query B { a: __typename b: __typename }';
    await query(text, { operationName: 'B' });
    expect(await used()).toBe(2);
  });

  it('counts by GET, and by the hash of a query that was sent before', async () => {
    const text = '{ a: __typename b: __typename c: __typename d: __typename }';
    const sha256Hash = createHash('sha256').update(text).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    const headers = { 'Apollo-Require-Preflight': 'true' };
    await service.rest('GET', `/graphql?query=${encodeURIComponent(text)}`, { key, headers });
    expect(await used()).toBe(4);
    await query(text, { extensions });
    expect(await used()).toBe(8);
    const { body } = await service.rest('POST', '/graphql', { key, body: { extensions } });
    expect(body.data.a).toBe('Query');
    expect(await used()).toBe(12);
    const address = `/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`;
    await service.rest('GET', address, { key, headers });
    expect(await used()).toBe(16);
  });

  it('that does not fit is refused as a whole and leaves the rest to smaller ones', async () => {
    await setLimit(3);
    expect((await query('{ a: __typename b: __typename }')).status).toBe(200);
    expect((await query('{ a: __typename b: __typename }')).status).toBe(429);
    expect((await query('{ __typename }')).status).toBe(200);
    expect(await used()).toBe(3);
  });

  it('that never fits opens no window', async () => {
    await setLimit(1);
    expect((await query('{ a: __typename b: __typename }')).status).toBe(429);
    expect(await used()).toBe(0);
    await age(30);
    expect((await list()).headers.get('ratelimit')).toBe('"key";r=0;t=60');
  });
});

describe('over WebSocket', () => {
  const connect = () =>
    createClient({
      url: `${service.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'X-Api-Key': key },
      lazy: false,
      retryAttempts: 0,
    });

  it('each operation counts, the connection does not', async () => {
    await setLimit(3);
    const client = connect();
    const ask = async (text: string): Promise<unknown> => {
      try {
        const { value } = await client.iterate({ query: text }).next();
        return value.data ?? value.errors;
      } catch (errors) {
        return (errors as { extensions: object }[])[0]?.extensions;
      }
    };
    expect(await ask('{ a: __typename b: __typename }')).toEqual({ a: 'Query', b: 'Query' });
    expect(await used()).toBe(2);
    const refused = { code: 'RATE_LIMITED', retryAfter: expect.any(Number) };
    expect(await ask('{ a: __typename b: __typename }')).toEqual(refused);
    expect(await ask('{ __typename }')).toEqual({ __typename: 'Query' });
    expect(
      await ask('subscription { workflowRunChanged(id: "0b0d4a3e-7f5c-4c59-9d3a-2f6b8f1f4a10") { sequence } }'),
    ).toEqual(refused);
    await client.dispose();
  });

  it('a key that was deleted starts nothing more on an open socket', async () => {
    const client = connect();
    const first = await client.iterate({ query: '{ __typename }' }).next();
    expect(first.value.data).toEqual({ __typename: 'Query' });
    await service.sql('delete from api_key where hash = $1', [createHash('sha256').update(key).digest()]);
    await expect(client.iterate({ query: '{ __typename }' }).next()).rejects.toMatchObject([
      { extensions: { code: 'UNAUTHENTICATED' } },
    ]);
    await client.dispose();
  });
});
