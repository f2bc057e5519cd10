import { describe, expect, test } from '@jest/globals';
import type { Idempotency, IdempotencyOutcome } from '../../../rest-compat/runtime/idempotency.js';
import { type Api, ask } from './rest-compat.harness.js';

interface KeyedRequest {
  key: string;
  request: string;
}

/** An API whose keys have the given outcome; `first` does the work. */
function api(
  outcome: IdempotencyOutcome['kind'],
  { asked = [] as KeyedRequest[], kept = [] as boolean[], fails = false } = {},
): Api {
  const idempotency: Idempotency<unknown> = {
    async once(context, key, request, work) {
      asked.push({ key, request: request.toString() });
      if (outcome === 'again') return { kind: 'again', text: JSON.stringify({ status: 201, text: '"kept"' }) };
      if (outcome !== 'first') return { kind: outcome };
      const answer = await work({ ...(context as object), reserved: 'id' });
      kept.push(answer.isKept);
      return { kind: 'first', text: answer.text };
    },
  };
  return {
    schema: `
      scalar JSON
      type Receipt { status: Int! }
      type Query { find: JSON! }
      type Mutation { make(name: String!): JSON! run(status: Int!): Receipt! }
    `,
    operations: `
      "Make" mutation Make($name: String!) @rest(method: POST, path: "/api/v1/things/", status: 201) { body: make(name: $name) }
      "Change" mutation Change($name: String!) @rest(method: POST, path: "/api/v1/change/") { body: make(name: $name) }
      "Run" mutation Run($status: Int!) @rest(method: POST, path: "/api/v1/run/", idempotencyKey: true) { body: run(status: $status) { status } }
      "Again" mutation Again($status: Int!) @rest(method: POST, path: "/api/v1/again/", reply: ENVELOPE_STATUS) { body: run(status: $status) { status } }
      "Open" mutation Open($name: String!) @rest(method: POST, path: "/api/v1/open/", status: 201, auth: NONE) { body: make(name: $name) }
      "Search" query Search @rest(method: POST, path: "/api/v1/search/", body: NONE, status: 201) { body: find }
    `,
    resolve: {
      make: (_, { name }: { name: string }, context: unknown) => {
        if (fails) throw Object.assign(new Error('No.'), { extensions: { code: 'FORBIDDEN' } });
        return { name, reserved: (context as { reserved?: string }).reserved ?? null };
      },
      run: (_, { status }: { status: number }) => ({ status }),
      find: () => 'found',
    },
    options: { idempotency },
  };
}

const send = (to: Api, path: string, body: unknown, key: string | null = 'k') =>
  ask(to, { method: 'POST', path, body, headers: key === null ? {} : { 'idempotency-key': key } });

describe('a request with a key', () => {
  test('is identified by method, path, query and body, with or without a slash at the end', async () => {
    const asked: KeyedRequest[] = [];
    for (const path of ['/api/v1/things/?a=1', '/api/v1/things?a=1'])
      await send(api('first', { asked }), path, { name: 'x' });
    expect(asked[0]).toEqual({ key: 'k', request: '["POST","/api/v1/things","a=1"]\n{"name":"x"}' });
    expect(asked[1]).toEqual(asked[0]);
  });

  test('names what its answer shortens, in every form of the answer', async () => {
    const shortening = (outcome: IdempotencyOutcome['kind']): Api => ({
      ...api(outcome),
      options: { ...api(outcome).options, shortenedIdsOf: () => ['7', '9'] },
    });
    for (const key of ['k', null])
      expect((await send(shortening('first'), '/api/v1/things/', { name: 'x' }, key)).headers).toMatchObject({
        'x-scenarium-shortened': '7, 9',
      });
    const kept = { status: 201, text: '"kept"', shortened: ['8'] };
    const once = async () => ({ kind: 'again' as const, text: JSON.stringify(kept) });
    const replayed = await send({ ...api('again'), options: { idempotency: { once } } }, '/api/v1/things/', {
      name: 'x',
    });
    expect(replayed.headers).toMatchObject({ 'x-scenarium-shortened': '8', 'idempotent-replayed': 'true' });
  });

  test('is executed with the context that the store returns', async () => {
    const answer = await send(api('first'), '/api/v1/things/', { name: 'x' });
    expect(answer).toMatchObject({ status: 201, body: { name: 'x', reserved: 'id' } });
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });

  test('is answered with the stored response', async () => {
    const answer = await send(api('again'), '/api/v1/things/', { name: 'x' });
    expect(answer).toMatchObject({ status: 201, body: 'kept', headers: { 'idempotent-replayed': 'true' } });
  });

  test.each<[IdempotencyOutcome['kind'], number, string]>([
    ['under way', 409, 'conflict'],
    ['another request', 422, 'unprocessable'],
  ])('is refused when the first is %s', async (outcome, status, code) => {
    expect(await send(api(outcome), '/api/v1/things/', { name: 'x' })).toMatchObject({ status, body: { code } });
  });

  test('stores only successes: a refused envelope inside 200 counts as one, inside 400 it does not', async () => {
    const kept: boolean[] = [];
    await send(api('first', { kept }), '/api/v1/run/', { status: 422 });
    await send(api('first', { kept }), '/api/v1/again/', { status: 422 });
    await send(api('first', { kept }), '/api/v1/again/', { status: 201 });
    expect(kept).toEqual([true, false, true]);
  });

  test('passes on what the work throws', async () => {
    const answer = await send(api('first', { fails: true }), '/api/v1/things/', { name: 'x' });
    expect(answer).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
  });

  test('reaches the store only when path and body are valid', async () => {
    const asked: KeyedRequest[] = [];
    expect((await send(api('again', { asked }), '/api/v1/things/', { name: 7 })).status).toBe(400);
    expect((await send(api('again', { asked }), '/api/v1/nothing/', {})).status).toBe(404);
    expect(asked).toEqual([]);
  });

  test.each(['', 'x'.repeat(256), 'schl\u00fcssel', 'a\tb'])('is refused with the key %j', async key => {
    expect(await send(api('again'), '/api/v1/things/', { name: 'x' }, key)).toMatchObject({
      status: 400,
      body: { idempotency_key: [expect.any(String)] },
    });
  });

  test.each(['x', '~ !', 'x'.repeat(255)])('may have the key %j', async key => {
    expect((await send(api('again'), '/api/v1/things/', { name: 'x' }, key)).body).toBe('kept');
  });
});

test.each(['/api/v1/change/', '/api/v1/open/', '/api/v1/search/'])('%s ignores keys', async path => {
  expect((await send(api('again'), path, { name: 'x' }, '')).status).toBeLessThan(300);
});

test('a request without a key is executed every time', async () => {
  const asked: KeyedRequest[] = [];
  expect((await send(api('again', { asked }), '/api/v1/things/', { name: 'x' }, null)).body).toMatchObject({
    reserved: null,
  });
  expect(asked).toEqual([]);
});
