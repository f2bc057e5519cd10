import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { restErrors } from '../../rest-compat/runtime/errors.js';
import { domainErrorOf } from '../../src/graphql/errors.js';
import { isRetryableDatabaseError } from '../../src/platform/database/database-errors.js';
import { ADMIN_KEY, databaseUrl } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';
import { holdRequest, sendRaw } from './raw.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ role: 'api', maxBodyBytes: 2_000 });
});
afterAll(() => service?.stop());

const PROJECTS = '/api/v1/projects/';
const UUID = /^[0-9a-f-]{36}$/;

it('has one status and one code for each kind of refusal', () => {
  expect(
    Object.values(restErrors)
      .map(({ status, code }) => `${status} ${code}`)
      .toSorted(),
  ).toEqual([
    '400 invalid',
    '400 parse_error',
    '400 query_too_complex',
    '401 not_authenticated',
    '402 budget_exceeded',
    '403 permission_denied',
    '404 not_found',
    '405 method_not_allowed',
    '406 not_acceptable',
    '408 request_timeout',
    '409 conflict',
    '410 gone',
    '413 payload_too_large',
    '415 unsupported_media_type',
    '422 unprocessable',
    '429 rate_limited',
    '431 headers_too_large',
    '500 internal_error',
    '503 unavailable',
  ]);
});

it.each(['ENOSPC', 'EMFILE', '53100'])(
  'is unavailable, not an internal error, when a resource is exhausted (%s)',
  code => {
    const error = Object.assign(new Error('short'), { code });
    expect(domainErrorOf(error)?.extensions).toMatchObject({ code: 'UNAVAILABLE', retryAfter: 5 });
    // Only 53100 comes from the database: ENOSPC and EMFILE are limits of this process.
    expect(isRetryableDatabaseError(error)).toBe(code === '53100');
  },
);

it('is a conflict when two requests store the same value at the same time', () => {
  const error = Object.assign(new Error('duplicate key'), { code: '23505' });
  expect(domainErrorOf(error)?.extensions.code).toBe('CONFLICT');
});

it('is not found when another request deletes the object at the same time', () => {
  const error = Object.assign(new Error('violates a foreign key'), { code: '23503' });
  expect(domainErrorOf(error)?.extensions.code).toBe('NOT_FOUND');
});

describe('a request that is refused', () => {
  it.each<[string, string, string, number, string, object]>([
    ['malformed JSON', 'POST', PROJECTS, 400, 'parse_error', { body: '{"name":', headers: json() }],
    ['no key', 'GET', PROJECTS, 401, 'not_authenticated', { key: null }],
    ['a wrong key', 'GET', PROJECTS, 401, 'not_authenticated', { key: 'sk-wrong-wrong-wrong' }],
    ['an id that does not exist', 'GET', `${PROJECTS}2147483647/`, 404, 'not_found', {}],
    ['an id that is none', 'GET', `${PROJECTS}abc/`, 404, 'not_found', {}],
    ['an unknown path', 'GET', '/api/v1/nothing/', 404, 'not_found', {}],
    ['an unknown path elsewhere', 'GET', '/nowhere', 404, 'not_found', {}],
    ['another method on an unknown path', 'DELETE', '/nowhere', 404, 'not_found', {}],
    ['malformed percent-encoding in a known path', 'GET', `${PROJECTS}%zz/`, 404, 'not_found', {}],
    ['malformed percent-encoding in an unknown path', 'GET', '/%zz/%', 404, 'not_found', {}],
    ['malformed percent-encoding among the assets', 'GET', '/docs/assets/%zz', 404, 'not_found', {}],
    ['a path that leaves its folder', 'GET', '/docs/assets/..%2f..%2fpackage.json', 404, 'not_found', {}],
    ['another method', 'PUT', PROJECTS, 405, 'method_not_allowed', {}],
    ['a method of WebDAV', 'PROPFIND', PROJECTS, 405, 'method_not_allowed', {}],
    ['another method on a probe', 'POST', '/healthz', 405, 'method_not_allowed', {}],
    ['another method on a page', 'POST', '/docs', 405, 'method_not_allowed', {}],
    ['another format', 'GET', PROJECTS, 406, 'not_acceptable', { headers: { Accept: 'text/html' } }],
    ['a large body', 'POST', PROJECTS, 413, 'payload_too_large', { body: { name: 'x'.repeat(3_000) } }],
    ['another content type', 'POST', PROJECTS, 415, 'unsupported_media_type', { body: 'x', headers: json('text/xml') }],
    [
      'an unknown charset',
      'POST',
      PROJECTS,
      415,
      'unsupported_media_type',
      { body: '{}', headers: json('application/json; charset=ebcdic') },
    ],
    [
      'an unknown content encoding',
      'POST',
      PROJECTS,
      415,
      'unsupported_media_type',
      { body: 'x', headers: { ...json(), 'Content-Encoding': 'compress' } },
    ],
    [
      'a body that is not what its encoding says',
      'POST',
      PROJECTS,
      400,
      'parse_error',
      { body: 'not gzip', headers: { ...json(), 'Content-Encoding': 'gzip' } },
    ],
  ])('with %s (%s %s) is %i %s', async (_what, method, path, status, code, options) => {
    const answer = await service.rest(method, path, options);
    expect([answer.status, answer.body]).toEqual([status, { detail: expect.stringMatching(/.{5}/), code }]);
    expect(answer.headers.get('x-request-id')).toMatch(UUID);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|\bat \w+ \(|zlib|select /);
    expect(JSON.stringify(answer.body)).not.toContain(process.cwd());
  });

  it.each([
    ['an unknown path', '/v1/nothing', 404, 'not_found', {}],
    ['malformed JSON', '/v1/chat/completions', 400, 'parse_error', { body: '{"model":' }],
    ['a large body', '/v1/chat/completions', 413, 'payload_too_large', { body: { name: 'x'.repeat(3_000) } }],
    [
      'an unknown charset',
      '/v1/chat/completions',
      415,
      'unsupported_media_type',
      { body: '{}', type: 'application/json; charset=ebcdic' },
    ],
  ])('below /v1 with %s (%s) is %i %s in the format of the chat API', async (_what, path, status, code, more) => {
    const { body, type = 'application/json' } = more as { body?: unknown; type?: string };
    const headers = { Authorization: `Bearer ${service.key}`, 'Content-Type': type };
    const answer = await service.rest('POST', path, { body, key: null, headers });
    const error = { message: expect.stringMatching(/.{5}/), type: expect.any(String), param: null, code };
    expect([answer.status, answer.body]).toEqual([status, { error }]);
    expect(answer.headers.get('x-request-id')).toMatch(UUID);
  });

  it('with bad input has one member for each field', async () => {
    const { status, body } = await service.rest('POST', PROJECTS, { body: { name: '' } });
    expect([status, body]).toEqual([400, { name: ['This field may not be blank.'] }]);
  });

  it('for missing credentials names them', async () => {
    const { headers } = await service.rest('GET', PROJECTS, { key: null });
    expect(headers.get('www-authenticate')).toBe('X-Api-Key');
    const graphql = await service.rest('POST', '/graphql', {
      body: { query: '{ projects { total } }' },
      key: 'sk-none',
    });
    expect([graphql.status, graphql.headers.get('www-authenticate')]).toEqual([401, 'X-Api-Key']);
  });

  it('for credentials in the wrong header names the right one', async () => {
    const keyAsBearer = { Authorization: `Bearer ${ADMIN_KEY}` };
    const { status, body } = await service.rest('GET', PROJECTS, { key: null, headers: keyAsBearer });
    expect([status, JSON.stringify(body)]).toEqual([401, expect.stringContaining('in the header X-Api-Key')]);
    const chat = { body: { model: 'echo', messages: [{ role: 'user', content: 'hi' }] } };
    const inHeader = await service.rest('POST', '/v1/chat/completions', chat);
    expect([inHeader.status, inHeader.body.error.message]).toEqual([
      401,
      'This route takes the API key as "Authorization: Bearer <key>".',
    ]);
    const jwt = await service.rest('GET', PROJECTS, { key: `${btoa('{"alg":"HS256"}')}.e30.x` });
    expect([jwt.status, JSON.stringify(jwt.body)]).toEqual([401, expect.stringContaining('Send a session token as')]);
  });

  it('keeps the request id of its caller', async () => {
    const headers = { 'X-Request-Id': 'mine-1' };
    for (const path of ['/nowhere', '/api/v1/nothing/', '/healthz', `${PROJECTS}%zz/`]) {
      const answer = await service.rest('GET', path, { headers });
      expect(answer.headers.get('x-request-id')).toBe('mine-1');
    }
  });
});

describe('the methods of a path', () => {
  it.each([
    [PROJECTS, 'GET, POST, HEAD, OPTIONS'],
    [`${PROJECTS}1`, 'GET, PATCH, DELETE, HEAD, OPTIONS'],
    ['/healthz', 'GET, HEAD, OPTIONS'],
    ['/docs', 'GET, HEAD, OPTIONS'],
    ['/openapi.json', 'GET, HEAD, OPTIONS'],
  ])('of %s are listed with 405 and by OPTIONS, without a key', async (path, allow) => {
    const refused = await service.rest('PUT', path, { key: null });
    const options = await service.rest('OPTIONS', path, { key: null });
    expect([refused.status, sorted(refused.headers.get('allow'))]).toEqual([405, sorted(allow)]);
    expect([options.status, sorted(options.headers.get('allow')), options.body]).toEqual([204, sorted(allow), null]);
    expect(options.headers.get('x-request-id')).toMatch(UUID);
  });

  it('of an unknown path are none', async () => {
    expect((await service.rest('OPTIONS', '/api/v1/nothing/')).status).toBe(404);
    expect((await service.rest('OPTIONS', '/nowhere')).status).toBe(404);
  });

  it('of /graphql are GET and POST', async () => {
    const response = await fetch(`${service.url}/graphql`, {
      method: 'PUT',
      headers: { 'X-Api-Key': ADMIN_KEY, 'Apollo-Require-Preflight': 'true' },
    });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect(response.headers.get('x-request-id')).toMatch(UUID);
  });
});

describe('bytes that are not an HTTP request', () => {
  it.each<[string, string, number, string]>([
    ['nonsense', 'nonsense\r\n\r\n', 400, 'parse_error'],
    ['an unknown method', 'FROBNICATE / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'parse_error'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n', 400, 'parse_error'],
    [
      'two lengths',
      'POST /api/v1/projects/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      400,
      'parse_error',
    ],
    [
      'a length together with chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'parse_error',
    ],
    ['no host', 'GET /api/v1/projects/ HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'parse_error'],
    [
      'a header that is too large',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['a socket elsewhere', upgrade('/api/v1/projects/'), 404, 'not_found'],
    ['half a handshake', upgrade('/graphql', 'Sec-WebSocket-Key: short\r\n'), 400, 'parse_error'],
  ])('%s is answered in JSON', async (_what, text, status, code) => {
    const answer = await sendRaw(service.url, text);
    expect([answer.status, answer.body]).toEqual([status, { detail: expect.stringMatching(/.{5}/), code }]);
    expect(answer.headers.get('x-request-id')).toMatch(UUID);
    expect(answer.headers.get('content-type')).toContain('application/json');
  });

  it('an unknown expectation is ignored', async () => {
    const text = 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: the unexpected\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(service.url, text)).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});

describe('an internal error', () => {
  it('is a 500 with nothing but the request id', async () => {
    await service.sql('alter table project rename column name to hidden');
    try {
      const answer = await service.rest('POST', PROJECTS, { body: { name: 'Hidden' } });
      expect([answer.status, answer.body]).toEqual([
        500,
        { detail: 'Internal server error.', code: 'internal_error', request_id: answer.headers.get('x-request-id') },
      ]);
      const query = 'mutation { projectCreate(input: { name: "Hidden" }) { project { id } } }';
      const { headers, body } = await service.rest('POST', '/graphql', { body: { query } });
      const requestId = headers.get('x-request-id');
      expect(body.errors[0]).toMatchObject({
        message: 'Internal server error.',
        extensions: { code: 'INTERNAL_SERVER_ERROR', requestId },
      });
    } finally {
      await service.sql('alter table project rename column hidden to name');
    }
  });
});

describe('a service that processes four requests at once', () => {
  let small: TestService;
  beforeAll(async () => {
    small = await startTestService({ role: 'api', maxRequestsInFlight: 4 });
  });
  afterAll(() => small?.stop());

  it('refuses more simultaneous requests, and accepts new ones afterwards', async () => {
    const holder = new pg.Client({ connectionString: databaseUrl(small.database) });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('lock table project');
      const held = Array.from({ length: 4 }, () => small.rest('GET', PROJECTS));
      await eventually(
        () => small.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
        waiting => waiting.length === 4,
      );
      const { status, headers, body } = await small.rest('GET', PROJECTS);
      expect([status, headers.get('retry-after'), body.code]).toEqual([503, '1', 'unavailable']);
      expect((await fetch(`${small.url}/healthz`)).status).toBe(200);
      await holder.query('rollback');
      expect((await Promise.all(held)).map(answer => answer.status)).toEqual([200, 200, 200, 200]);
      expect((await small.rest('GET', PROJECTS)).status).toBe(200);
    } finally {
      await holder.end();
    }
  });

  it('answers others while requests of one address arrive slowly, and accepts at most half as many of those', async () => {
    const held = [await holdRequest(small.url), await holdRequest(small.url)];
    const create = () => small.rest('POST', PROJECTS, { body: { name: 'Arrives at once' } });
    for (let each = 0; each < 6; each++) expect((await small.rest('GET', PROJECTS)).status).toBe(200);
    const { status, headers, body } = await create();
    expect([status, headers.get('retry-after'), body.code]).toEqual([503, '1', 'unavailable']);
    await held.pop()?.();
    expect((await create()).status).toBe(201);
    await held.pop()?.();
  });
});

function json(type = 'application/json') {
  return { 'Content-Type': type };
}

function sorted(list: string | null): string[] | undefined {
  return list?.split(', ').toSorted();
}

function upgrade(path: string, more = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n${more}\r\n`;
}

it('names its fields by the path of the whole request, as through a proxy', async () => {
  const get = (target: string) =>
    sendRaw(service.url, `GET ${target} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${ADMIN_KEY}\r\nConnection: close\r\n\r\n`);
  for (const target of ['/api/v1/projects/?size=0', `${service.url}/api/v1/projects/?size=0`, `${service.url}/healthz`])
    expect((await get(target)).status).toBe(200);
});
