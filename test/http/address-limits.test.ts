import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chain, node, output, trigger } from '../support/graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { createLogin, PASSWORD } from '../support/sessions.js';

/** Requests with X-Forwarded-For come from the address in it, because loopback is a trusted proxy here. */
let service: TestService;
let next = 0;
let address: string;
let elsewhere: string;

beforeAll(async () => {
  service = await startTestService({
    trustedProxies: ['127.0.0.0/8', '::1'],
    anonymousLimitPerMinute: 20,
    loginLimitPerMinute: 12,
  });
});
afterAll(() => service?.stop());

beforeEach(() => {
  next++;
  [address, elsewhere] = [`203.0.113.${next}`, `198.51.100.${next}`];
});

const from = (who: string, method: string, path: string, key: string | null, body?: unknown) =>
  service.rest(method, path, { key, body, headers: { 'X-Forwarded-For': who } });
const logIn = (who: string, email: string, password: string) =>
  from(who, 'POST', '/api/v1/token/', null, { email, password });

describe('bad keys and anonymous requests', () => {
  it.each<[what: string, method: string, path: string, key: () => string | null, body?: unknown]>([
    ['bad keys', 'GET', '/api/v1/projects/', () => `sk-${Math.random()}`, undefined],
    ['anonymous reads', 'GET', '/api/v1/workflows/marketplace/', () => null, undefined],
    ['bad GraphQL keys', 'POST', '/graphql', () => 'sk-wrong', { query: '{ me { id } }' }],
    ['anonymous GraphQL', 'POST', '/graphql', () => null, { query: '{ marketplaceWorkflows { total } }' }],
  ])('are limited for each client address: %s', async (_what, method, path, key, body) => {
    const answers = await Promise.all(Array.from({ length: 24 }, () => from(address, method, path, key(), body)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
    const refused = await from(address, method, path, key(), body);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await from(elsewhere, method, path, key(), body)).status).not.toBe(429);
  });

  it('do not affect keys that were valid before, from the same address', async () => {
    const { key } = await service.createUser(`neighbour-${next}`);
    expect((await from(address, 'GET', '/api/v1/projects/', key)).status).toBe(200);
    for (let n = 0; n < 21; n++) await from(address, 'GET', '/api/v1/projects/', 'sk-wrong');
    expect((await from(address, 'GET', '/api/v1/projects/', 'sk-other')).status).toBe(429);
    expect((await from(address, 'GET', '/api/v1/projects/', key)).status).toBe(200);
    const { key: outsider } = await service.createUser(`new-${next}`);
    expect((await from(address, 'GET', '/api/v1/projects/', outsider)).status).toBe(429);
    expect((await from(elsewhere, 'GET', '/api/v1/projects/', outsider)).status).toBe(200);
  });

  it('count a /64 of IPv6 as one client', async () => {
    for (let n = 0; n < 20; n++) await from(`2001:db8:${next}::${n + 1}`, 'GET', '/api/v1/projects/', 'sk-wrong');
    expect((await from(`2001:db8:${next}::ffff`, 'GET', '/api/v1/projects/', 'sk-wrong')).status).toBe(429);
  });
});

describe('calls of webhooks', () => {
  it('with wrong addresses are limited, and answers 404 of a workflow do not count', async () => {
    const project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Hooks' } })).body.id;
    const data = chain(trigger(), node('respond-node', { status: 404, body: { reason: 'unknown order' } }), output());
    const workflow = (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body
      .id;
    const { path } = (
      await service.rest('POST', `/api/v1/workflows/${workflow}/triggers/`, {
        body: { name: 'T', webhook: { reply: 'result' } },
      })
    ).body;
    const answers = await Promise.all(Array.from({ length: 24 }, () => from(address, 'POST', path, null, {})));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      Array(24).fill([404, { reason: 'unknown order' }]),
    );
    const statuses: number[] = [];
    for (let n = 0; n < 22; n++) statuses.push((await from(address, 'POST', '/hooks/nowhere', null, {})).status);
    expect(statuses).toEqual([...Array(20).fill(404), 429, 429]);
    expect((await from(address, 'POST', path, null, {})).status).toBe(429);
  });
});

describe('logins', () => {
  it('are limited for each client address, whatever email they try', async () => {
    const attempts = Array.from({ length: 14 }, (_none, n) => logIn(address, `ghost-${n}@example.com`, 'wrong'));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([...Array(12).fill(401), 429, 429]);
    expect((await logIn(elsewhere, 'ghost@example.com', 'wrong')).status).toBe(401);
  });

  it('of an account are blocked only for the address that guessed', async () => {
    const { email } = await createLogin(service, `victim-${next}`);
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) statuses.push((await logIn(address, email, 'a bad guess')).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    expect((await logIn(address, email, PASSWORD)).status).toBe(429);
    expect((await logIn(elsewhere, email, PASSWORD)).status).toBe(200);
  });
});
