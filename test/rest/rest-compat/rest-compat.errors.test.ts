import { expect, test } from '@jest/globals';
import { RestFault } from '../../../rest-compat/runtime/errors.js';
import { type Api, ask, refusal } from './rest-compat.harness.js';

// The variables and the arguments have different names: errors must name parameters as the client sent them.
const api = (error: unknown, rest = '', reported: unknown[] = []): Api => ({
  schema: `
    type Thing { id: Int! detail: String }
    type Query { thing(id: Int!, workflowId: Int, sortId: Int): Thing! }
  `,
  operations: `
    "Thing" query Thing($id: Int!, $run: Int! = 1) @rest(method: GET, path: "/api/v1/things/{id}/"${rest}) {
      body: thing(id: $run, workflowId: $id) { id detail }
    }
  `,
  resolve: {
    thing: () => {
      throw error;
    },
  },
  options: { onError: found => reported.push(found) },
});

const path = '/api/v1/things/5/';

test.each<[string, number, object]>([
  ['UNAUTHENTICATED', 401, { detail: 'because UNAUTHENTICATED', code: 'not_authenticated' }],
  ['FORBIDDEN', 403, { detail: 'because FORBIDDEN', code: 'permission_denied' }],
  ['NOT_FOUND', 404, { detail: 'because NOT_FOUND', code: 'not_found' }],
  ['BAD_USER_INPUT', 400, { non_field_errors: ['because BAD_USER_INPUT'] }],
  ['CONFLICT', 409, { detail: 'because CONFLICT', code: 'conflict' }],
  ['RATE_LIMITED', 429, { detail: 'because RATE_LIMITED', code: 'rate_limited' }],
  ['BUDGET_EXCEEDED', 402, { detail: 'because BUDGET_EXCEEDED', code: 'budget_exceeded' }],
  ['PAYLOAD_TOO_LARGE', 413, { detail: 'because PAYLOAD_TOO_LARGE', code: 'payload_too_large' }],
  ['UNAVAILABLE', 503, { detail: 'because UNAVAILABLE', code: 'unavailable' }],
])('%s is answered with %i', async (code, status, body) => {
  expect(await ask(api(refusal(code)), { path })).toMatchObject({ status, body });
});

test.each(['INTERNAL_SERVER_ERROR', 'SOMETHING_ELSE'])('%s is a 500 without details and is reported', async code => {
  const reported: unknown[] = [];
  const error = refusal(code);
  const { status, body } = await ask(api(error, '', reported), { path });
  expect({ status, body, reported }).toEqual({
    status: 500,
    body: { detail: 'Internal server error.', code: 'internal_error', request_id: 'request-1' },
    reported: [error],
  });
});

test('field names are in snake case, nested ones too, and those of parameters as they were sent', async () => {
  const fields = { sortId: ['a'], 'variableNames.0.isActive': ['b'], workflowId: ['c'] };
  const { body } = await ask(api(refusal('BAD_USER_INPUT', { fields })), { path });
  expect(body).toEqual({ sort_id: ['a'], 'variable_names.0.is_active': ['b'], id: ['c'] });
});

test('a field may have a name that every object inherits', async () => {
  const text = '{"constructor":["a"],"__proto__":["b"]}';
  const answer = await ask(api(refusal('BAD_USER_INPUT', { fields: JSON.parse(text) })), { path });
  expect([answer.status, answer.text]).toEqual([400, text]);
});

test('names within a JSON value stay as the client sent them', async () => {
  const withValue: Api = {
    schema: `
      scalar JSON
      type Thing { id: Int! }
      type Query { thing: Thing! }
      type Mutation { thingAdd(settings: JSON): Thing! }
    `,
    operations: `
      "Add" mutation Add($settings: JSON) @rest(method: POST, path: "/api/v1/things/") {
        body: thingAdd(settings: $settings) { id }
      }
    `,
    resolve: {
      thingAdd: () => {
        throw refusal('BAD_USER_INPUT', { fields: { 'settings.userId': ['a'] } });
      },
    },
  };
  const answer = await ask(withValue, { method: 'POST', path: '/api/v1/things/', body: { settings: {} } });
  expect(answer.body).toEqual({ 'settings.userId': ['a'] });
});

test('field names of errors of the REST layer are not converted', async () => {
  const refusing: Api = {
    ...api(null),
    options: {
      contextFor: () => {
        throw new RestFault('BAD_USER_INPUT', undefined, { 'firstFile.userId': ['a'] });
      },
    },
  };
  expect((await ask(refusing, { path })).body).toEqual({ 'firstFile.userId': ['a'] });
});

test('an exception while an error is sent closes the connection and is reported', async () => {
  const reported: unknown[] = [];
  const exception = new Error('broken');
  const failing: Api = {
    ...api(refusal('SOMETHING_ELSE')),
    options: {
      onError: error => reported.push(error),
      toKnownError: () => {
        throw exception;
      },
    },
  };
  await expect(ask(failing, { path })).rejects.toThrow('socket hang up');
  expect(reported).toEqual([exception]);
});

test('a route may answer a code with another status', async () => {
  const rest = ', errors: [{ code: NOT_FOUND, status: 400 }]';
  const { status, body } = await ask(api(refusal('NOT_FOUND'), rest), { path });
  expect({ status, body }).toEqual({ status: 400, body: { detail: 'because NOT_FOUND', code: 'not_found' } });
});

test('a rate limit reports when to retry', async () => {
  const { headers } = await ask(api(refusal('RATE_LIMITED', { retryAfter: 11.2 })), { path });
  expect(headers['retry-after']).toBe('12');
});

test.each([
  ['', 'X-Api-Key'],
  [', auth: BEARER', 'Bearer'],
  [', auth: SERVICE', 'Bearer'],
])('a 401 of a route with "%s" asks for %s', async (rest, challenge) => {
  const { headers } = await ask(api(refusal('UNAUTHENTICATED'), rest), { path });
  expect(headers['www-authenticate']).toBe(challenge);
});

test('a context that refuses the caller receives the kind of credentials, before the path is read', async () => {
  const asked: string[] = [];
  const refusing: Api = {
    ...api(null, ', auth: BEARER'),
    options: {
      contextFor: (_, auth) => {
        asked.push(auth);
        throw refusal('UNAUTHENTICATED');
      },
    },
  };
  const { status } = await ask(refusing, { path: '/api/v1/things/abc/' });
  expect({ status, asked }).toEqual({ status: 401, asked: ['BEARER'] });
});

test('an error in a nullable member fails the whole: REST has no partial answers', async () => {
  const partial: Api = {
    ...api(null),
    resolve: { thing: () => ({ id: 1 }), 'Thing.detail': () => Promise.reject(refusal('CONFLICT')) },
  };
  expect((await ask(partial, { path })).status).toBe(409);
});
