import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { startTestService, type TestService } from '../support/service.js';
import { createLogin } from '../support/sessions.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ credentialsRecheckMs: 50 });
});
afterAll(() => service?.stop());

const ME = { query: '{ me { email } }' };

function connect(connectionParams: Record<string, unknown>): { client: Client; closed: Promise<{ code: number }> } {
  let resolveClosed: (event: { code: number }) => void;
  const closed = new Promise<{ code: number }>(resolve => {
    resolveClosed = resolve;
  });
  const client = createClient({
    url: `${service.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 0,
    lazy: true,
    lazyCloseTimeout: 60_000,
    on: { closed: event => resolveClosed(event as { code: number }) },
  });
  return { client, closed };
}

async function first(client: Client, payload: { query: string }): Promise<any> {
  for await (const value of client.iterate(payload)) return value;
}

describe('a socket', () => {
  it.each([
    ['authorization', (access: string) => ({ authorization: `Bearer ${access}` })],
    ['Authorization', (access: string) => ({ Authorization: `bearer ${access}` })],
  ])('is opened by the JWT of a session in %s', async (name, parameters) => {
    const { access, email } = await createLogin(service, name === 'authorization' ? 'lower' : 'upper');
    const { client } = connect(parameters(access));
    expect(await first(client, ME)).toEqual({ data: { me: { email } } });
    await client.dispose();
  });

  it('is opened by a key, which takes precedence over a JWT', async () => {
    const { access } = await createLogin(service, 'both');
    const { email, key } = await service.createUser('keyed');
    const { client } = connect({ 'X-Api-Key': key, authorization: `Bearer ${access}` });
    expect(await first(client, ME)).toEqual({ data: { me: { email } } });
    await client.dispose();
  });

  it.each([
    ['nothing', {}, 'not provided or are wrong'],
    ['a wrong JWT', { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x' }, 'not provided or are wrong'],
    [
      'a wrong key together with a JWT',
      { 'X-Api-Key': 'sk-wrong', authorization: 'Bearer x' },
      'not provided or are wrong',
    ],
    ['the service token', { authorization: 'Bearer a-service-token-for-tests-32-characters-or-more' }, 'X-Api-Key'],
    ['no text', { authorization: { toString: 'x' } }, 'not provided or are wrong'],
  ])('is refused with a reason when its credential is %s', async (_what, parameters, reason) => {
    const { client, closed } = connect(parameters);
    await expect(first(client, ME)).rejects.toMatchObject({ code: 4403, reason: expect.stringContaining(reason) });
    expect((await closed).code).toBe(4403);
  });

  it.each([
    ['no subprotocol', []],
    ['another subprotocol', ['graphql-ws', 'soap']],
  ])('is refused with %s, and the answer names the right one', async (_what, offered) => {
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, offered);
    socket.on('error', () => {});
    const [, response] = await once(socket, 'unexpected-response');
    const body = await response.setEncoding('utf8').reduce((text: string, part: string) => text + part, '');
    expect([response.statusCode, JSON.parse(body)]).toEqual([
      400,
      { code: 'parse_error', detail: expect.stringContaining('graphql-transport-ws') },
    ]);
    socket.terminate();
  });

  it.each([
    ['its key is deleted', 'key'],
    ['its session ends', 'session'],
  ])('is closed when %s', async (_what, kind) => {
    const { access, refresh, email } = await createLogin(service, `closing-${kind}`);
    const made = await service.rest('POST', '/api/v1/api-keys/', {
      key: null,
      headers: { Authorization: `Bearer ${access}` },
      body: { name: 'socket' },
    });
    const { client, closed } = connect(
      kind === 'key' ? { 'X-Api-Key': made.body.key } : { authorization: `Bearer ${access}` },
    );
    expect(await first(client, ME)).toEqual({ data: { me: { email } } });
    if (kind === 'key') await service.rest('DELETE', `/api/v1/api-keys/${made.body.id}/`);
    else await service.graphql('mutation ($r: String!) { sessionEnd(refresh: $r) { isEnded } }', { r: refresh }, null);
    expect((await closed).code).toBe(4403);
  });
});

it('refuses the next operation of a socket whose key is deleted', async () => {
  const slow = await startTestService({ credentialsRecheckMs: 3_600_000 }, service.database);
  const { key, email } = await service.createUser('patient');
  const client = createClient({
    url: `${slow.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { 'X-Api-Key': key },
    retryAttempts: 0,
    lazyCloseTimeout: 60_000,
  });
  expect(await first(client, ME)).toEqual({ data: { me: { email } } });
  await service.sql('delete from api_key where user_id = (select id from app_user where email = $1)', [email]);
  await expect(first(client, ME)).rejects.toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  await client.dispose();
  await slow.stop();
});
