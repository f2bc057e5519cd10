import { describe, expect, test } from '@jest/globals';
import { type Api, ask } from './rest-compat.harness.js';

const api: Api = {
  schema: `
    scalar UUID
    type Thing { id: Int! name: String! parts: [String!]! }
    type Query { thing(id: Int!): Thing! special: String! byRun(id: UUID!): String! bySlug(slug: String!): String! }
    type Mutation { thingDelete(id: Int!): Thing! specialStart: String! }
  `,
  operations: `
    "One" query One($id: Int!) @rest(method: GET, path: "/api/v1/things/{id}/") { body: thing(id: $id) { id name } }
    "Gone" mutation Gone($id: Int!) @rest(method: DELETE, path: "/api/v1/things/{id}/", reply: EMPTY) { body: thingDelete(id: $id) { id } }
    "Parts" query Parts($id: Int!) @rest(method: GET, path: "/api/v1/things/{id}/parts/") { thing(id: $id) { body: parts } }
    "Special" query Special @rest(method: GET, path: "/api/v1/things/special/") { body: special }
    "Start" mutation Start @rest(method: POST, path: "/api/v1/things/special/", body: NONE, status: 201) { body: specialStart }
    "Run" query Run($run_id: UUID!) @rest(method: GET, path: "/api/v1/runs/{run_id}/") { body: byRun(id: $run_id) }
    "Slug" query Slug($slug: String!) @rest(method: GET, path: "/api/v1/slugs/{slug}/") { body: bySlug(slug: $slug) }
  `,
  resolve: {
    thing: (_, { id }: { id: number }) => ({ id, name: 'chair', parts: ['leg', 'seat'] }),
    thingDelete: (_, { id }: { id: number }) => ({ id, name: 'chair' }),
    special: () => 'special',
    specialStart: () => 'started',
    byRun: (_, { id }: { id: string }) => id,
    bySlug: (_, { slug }: { slug: string }) => slug,
  },
};

describe('a path', () => {
  test('answers with the field under the alias body', async () => {
    const { status, body } = await ask(api, { path: '/api/v1/things/5/' });
    expect({ status, body }).toEqual({ status: 200, body: { id: 5, name: 'chair' } });
  });

  test('is served without its last slash, with no redirect', async () => {
    expect((await ask(api, { path: '/api/v1/things/5' })).status).toBe(200);
  });

  test('may have the alias body inside another field', async () => {
    expect((await ask(api, { path: '/api/v1/things/5/parts/' })).body).toEqual(['leg', 'seat']);
  });

  test('with a fixed segment precedes one with a parameter', async () => {
    expect((await ask(api, { path: '/api/v1/things/special/' })).body).toBe('special');
  });

  test('decodes what is percent-encoded', async () => {
    expect((await ask(api, { path: '/api/v1/slugs/caf%C3%A9%2Fbar/' })).body).toBe('café/bar');
  });

  test.each([
    '/api/v1/things/abc/',
    '/api/v1/things/1.5/',
    '/api/v1/things/2147483648/',
    '/api/v1/things/99999999999999999999/',
    '/api/v1/things/5//',
    '/api/v1/runs/not-a-uuid/',
    '/api/v1/slugs/%zz/',
    '/api/v1/slugs/a%00b/',
    '/api/v1/nothing/',
  ])('%s is not found', async path => {
    const { status, body } = await ask(api, { path });
    expect({ status, body }).toEqual({ status: 404, body: { detail: 'Not found.', code: 'not_found' } });
  });

  test('below /v1/ is not found in the format of the chat API', async () => {
    const { status, body } = await ask(api, { path: '/v1/nothing' });
    const error = { message: 'Not found.', type: 'not_found_error', param: null, code: 'not_found' };
    expect({ status, body }).toEqual({ status: 404, body: { error } });
  });

  test('outside /api/ and /v1/ is passed on', async () => {
    expect((await ask(api, { path: '/docs' })).text).toBe('passed on');
  });
});

describe('a method', () => {
  test('that a path does not have is 405 with those it has', async () => {
    const { status, headers, body } = await ask(api, { method: 'PUT', path: '/api/v1/things/5/' });
    expect({ status, allow: headers.allow, body }).toEqual({
      status: 405,
      allow: 'GET, DELETE, HEAD, OPTIONS',
      body: { detail: 'Method not allowed.', code: 'method_not_allowed' },
    });
  });

  test('HEAD has the headers of GET and no body', async () => {
    const { status, headers, text } = await ask(api, { method: 'HEAD', path: '/api/v1/things/5/' });
    expect({ status, length: headers['content-length'], text }).toEqual({ status: 200, length: '23', text: '' });
  });

  test('OPTIONS lists the methods of a path, and is 404 where there is none', async () => {
    const { status, headers, text } = await ask(api, { method: 'OPTIONS', path: '/api/v1/things/5/' });
    expect({ status, allow: headers.allow, text }).toEqual({
      status: 204,
      allow: 'GET, DELETE, HEAD, OPTIONS',
      text: '',
    });
    expect((await ask(api, { method: 'OPTIONS', path: '/api/v1/nothing/' })).status).toBe(404);
    expect((await ask(api, { method: 'OPTIONS', path: '/docs' })).text).toBe('passed on');
  });

  test('DELETE with the reply EMPTY is 204 without a body', async () => {
    const { status, text, headers } = await ask(api, { method: 'DELETE', path: '/api/v1/things/5/' });
    expect({ status, text, type: headers['content-type'] }).toEqual({ status: 204, text: '', type: undefined });
  });

  test('POST with the body NONE accepts any body and has the status of the operation', async () => {
    const sent = {
      method: 'POST',
      path: '/api/v1/things/special/',
      body: 'not json',
      headers: { 'content-type': 'x/y' },
    };
    expect(await ask(api, sent)).toMatchObject({ status: 201, body: 'started' });
  });
});

describe('the Accept header', () => {
  test.each([
    ['application/json', 200],
    ['text/html, */*;q=0.1', 200],
    ['application/*', 200],
    ['APPLICATION/JSON; charset=utf-8', 200],
    ['', 200],
    ['text/html', 406],
    ['application/json;q=0, */*', 406],
    ['*/*;q=0', 406],
    ['application/problem+json', 406],
  ])('%s is answered with %i', async (accept, status) => {
    expect((await ask(api, { path: '/api/v1/things/5/', headers: { accept } })).status).toBe(status);
  });
});
