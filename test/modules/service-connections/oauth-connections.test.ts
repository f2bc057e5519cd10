import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { type EchoUpstream, startEchoUpstream } from '../../security/canaries/echo-upstream.js';
import { chain, http, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import {
  type AuthorizationServer,
  CLIENT,
  REDIRECT,
  startAuthorizationServer,
} from '../../support/upstreams/authorization-server.js';

let service: TestService;
let server: AuthorizationServer;
let upstream: EchoUpstream;
let project: number;

beforeAll(async () => {
  [server, upstream] = await Promise.all([startAuthorizationServer(), startEchoUpstream()]);
  service = await startTestService({ outboundAllow: ['127.0.0.1'] });
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'OAuth' } })).body.id;
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([upstream?.stop(), server?.stop()]);
});

let count = 0;
async function create(kind: string, settings: object = {}, secret: string | null = CLIENT.secret) {
  count += 1;
  const own = { base_url: upstream.origin, token_url: `${server.origin}/token`, client_id: CLIENT.id, scopes: 'read' };
  const code = kind === 'oauth2_code' ? { authorization_url: `${server.origin}/auth`, scopes: 'openid read' } : {};
  const body = { project, name: `C${count}`, kind, secret, settings: { ...own, ...code, ...settings } };
  const answer = await service.rest('POST', '/api/v1/connections/', { body });
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body.id as number;
}

async function begin(id: number): Promise<string> {
  const path = `/api/v1/connections/${id}/authorization/`;
  const answer = await service.rest('POST', path, { body: { redirect_url: REDIRECT } });
  expect(answer.status).toBe(200);
  return answer.body.authorization_url;
}

async function complete(id: number) {
  const { state, code } = await server.authorize(await begin(id));
  return service.rest('POST', '/api/v1/connection-authorizations/', { body: { state, code } });
}

async function workflowWith(id: number): Promise<number> {
  const data = chain(trigger(), http('/a', { connection_id: id }), output());
  return (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body.id;
}

async function run(workflow: number) {
  const started = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
  return awaitFinish(service, started.body.data.id);
}

const sentToken = () => /^Bearer (.+)$/.exec(JSON.parse(upstream.received.at(-1)!).headers.authorization)![1]!;
const expire = (id: number) => service.sql(`update connection set refresh_at = now() where id = $1`, [id]);
const read = async (id: number) => (await service.rest('GET', `/api/v1/connections/${id}/`)).body;

describe('a connection with an authorization code', () => {
  it.each([
    ['HTTP basic', {}, CLIENT.secret],
    ['a secret in the body', { client_id: 'post', client_authentication: 'post' }, CLIENT.secret],
    ['PKCE only', { client_id: 'public' }, null],
  ])('is authorized by a user, with %s', async (_title, settings, secret) => {
    const id = await create('oauth2_code', settings, secret);
    expect(await read(id)).toMatchObject({ is_authorized: false, refresh_at: null });
    const workflow = await workflowWith(id);
    expect((await run(workflow)).error).toMatchObject({ code: 'connection_not_authorized' });
    const url = new URL(await begin(id));
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    const done = await complete(id);
    expect([done.status, done.body.is_authorized]).toEqual([200, true]);
    expect(Date.parse(done.body.refresh_at)).toBeGreaterThan(Date.now() + 3_000_000);
    expect((await run(workflow)).status).toBe('succeed');
    expect(await server.isValid(sentToken())).toBe(true);
    const log = await service.graphql(`{ auditLog(projectId: ${project}) { items { action } } }`);
    expect(log.data.auditLog.items[0].action).toBe('connection.authorize');
  });

  it('refuses a forged state, a wrong code, another user and changed settings', async () => {
    const id = await create('oauth2_code');
    const path = '/api/v1/connection-authorizations/';
    const forged = await service.rest('POST', path, { body: { state: 'x', code: 'y' } });
    expect([forged.status, Object.keys(forged.body)]).toEqual([400, ['state']]);
    const { state, code } = await server.authorize(await begin(id));
    const wrong = await service.rest('POST', path, { body: { state, code: 'wrong' } });
    expect([wrong.status, wrong.body.code[0]]).toEqual([400, expect.stringContaining('invalid_grant')]);
    const other = await service.createUser('other');
    const body = { state, code };
    const stolen = await service.rest('POST', path, { body, key: other.key });
    expect([stolen.status, Object.keys(stolen.body)]).toEqual([400, ['state']]);
    const settings = { scopes: 'openid' };
    await service.rest('PATCH', `/api/v1/connections/${id}/`, { body: { settings } });
    const late = await service.rest('POST', path, { body });
    expect([late.status, Object.keys(late.body)]).toEqual([400, ['state']]);
  });

  it('loses its tokens when they could reach other hosts', async () => {
    const id = await create('oauth2_code', { client_id: 'public' }, null);
    await complete(id);
    const hosts = [new URL(upstream.origin).host, 'evil.example.com'];
    const changed = await service.rest('PATCH', `/api/v1/connections/${id}/`, { body: { allowed_hosts: hosts } });
    expect(changed.body).toMatchObject({ is_authorized: false, refresh_at: null });
  });

  it('makes one refresh for 20 parallel runs', async () => {
    const id = await create('oauth2_code', { scopes: 'openid offline_access read' });
    await complete(id);
    const workflow = await workflowWith(id);
    await expire(id);
    const before = server.grants.length;
    const runs = await Promise.all(Array.from({ length: 20 }, () => run(workflow)));
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['succeed']));
    expect(server.grants.slice(before)).toEqual(['refresh_token']);
  });

  it('must be authorized again when the server has ended the grant', async () => {
    const id = await create('oauth2_code');
    await complete(id);
    await expire(id);
    const [before] = await service.sql('select tokens from connection where id = $1', [id]);
    const workflow = await workflowWith(id);
    expect((await run(workflow)).status).toBe('succeed');
    // The rotated refresh token is not valid any more.
    await service.sql('update connection set tokens = $2, refresh_at = now() where id = $1', [id, before!.tokens]);
    const failed = await run(workflow);
    expect(failed.error).toMatchObject({ code: 'token_refused', message: expect.stringContaining('invalid_grant') });
    expect(await read(id)).toMatchObject({ is_authorized: false });
  });
});

describe('a connection with client credentials', () => {
  it('requests a token at its first use and when the server refuses it', async () => {
    const id = await create('oauth2_client');
    const workflow = await workflowWith(id);
    const before = server.grants.length;
    expect((await run(workflow)).status).toBe('succeed');
    expect((await run(workflow)).status).toBe('succeed');
    expect(server.grants.slice(before)).toEqual(['client_credentials']);
    const tested = await service.rest('POST', `/api/v1/connections/${id}/test/`);
    expect(tested.body).toMatchObject({ is_accepted: true });
    const refused = await create('oauth2_client', { base_url: server.origin, test_path: '/me' });
    const at = server.grants.length;
    expect((await service.rest('POST', `/api/v1/connections/${refused}/test/`)).body.is_accepted).toBe(false);
    expect(server.grants.slice(at)).toEqual(['client_credentials', 'client_credentials']);
  });

  it('fails with the reason of the server, without the secret', async () => {
    const id = await create('oauth2_client', {}, 'a wrong secret');
    const failed = await run(await workflowWith(id));
    expect(failed.error).toMatchObject({ code: 'token_refused', message: expect.stringContaining('invalid_client') });
    expect(JSON.stringify(failed)).not.toContain('a wrong secret');
  });
});
