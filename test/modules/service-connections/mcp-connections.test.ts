import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clientMetadataOf } from '../../../src/modules/connections/oauth/client-metadata.js';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { chain, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type McpTestServer, startMcpServer } from '../../support/upstreams/mcp-server.js';
import { type OAuthBehaviour, OAuthUpstream } from '../../support/upstreams/oauth-server.js';

const REDIRECT = 'http://127.0.0.1:9/connections/authorized';
let service: TestService;
let project: number;
const started: McpTestServer[] = [];

beforeAll(async () => {
  service = await startTestService({ outboundAllow: ['127.0.0.1'] });
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'MCP' } })).body.id;
});
afterAll(async () => {
  await service?.stop();
  await Promise.all(started.map(server => server.stop()));
});

async function serve(behaviour: OAuthBehaviour = {}) {
  const upstream = new OAuthUpstream({ hasUsers: true, ...behaviour });
  const server = await startMcpServer({ intercept: upstream.intercept });
  started.push(server);
  return { upstream, server };
}

async function create(url: string, more: { settings?: object; secret?: string; allowed_hosts?: string[] } = {}) {
  const settings = { base_url: url, ...more.settings };
  const body = { project, name: `C ${url} ${Math.random()}`, kind: 'mcp_oauth', ...more, settings };
  const answer = await service.rest('POST', '/api/v1/connections/', { body });
  expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ is_authorized: false })]);
  return answer.body.id as number;
}

const begin = (id: number) =>
  service.rest('POST', `/api/v1/connections/${id}/authorization/`, { body: { redirect_url: REDIRECT } });

/** Opens the address of the authorization as a browser does. */
async function authorize(id: number): Promise<URL> {
  const begun = await begin(id);
  expect([begun.status, begun.body]).toEqual([200, expect.anything()]);
  const { headers } = await fetch(begun.body.authorization_url, { redirect: 'manual' });
  const { state, code } = Object.fromEntries(new URL(headers.get('location')!).searchParams);
  const done = await service.rest('POST', '/api/v1/connection-authorizations/', { body: { state, code } });
  expect([done.status, done.body.is_authorized]).toEqual([200, true]);
  return new URL(begun.body.authorization_url);
}

async function call(id: number) {
  const tool = { tool: 'echo', timeout: 30, arguments: { text: 'hi' } };
  const data = chain(trigger(), node('mcp-node', { connection_id: id, endpoint_url: '', ...tool }), output());
  const workflow = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } });
  const run = await service.rest('POST', `/api/v1/workflows/${workflow.body.id}/run/`, { body: {} });
  return awaitFinish(service, run.body.data.id);
}

describe('a connection with the account of a user of an MCP server', () => {
  it('needs only the URL: it finds the authorization server, registers a client and renews tokens', async () => {
    const { upstream, server } = await serve({ expiresIn: 3_600 });
    const id = await create(server.url);
    expect((await call(id)).error).toMatchObject({ code: 'connection_not_authorized' });
    const asked = await authorize(id);
    expect(upstream.registrations).toMatchObject([{ redirect_uris: [REDIRECT], client_name: 'Scenarium' }]);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      ...{ client_id: 'client-1', code_challenge_method: 'S256', scope: 'read', resource: server.url },
    });
    expect((await call(id)).status).toBe('succeed');
    const tested = await service.rest('POST', `/api/v1/connections/${id}/test/`);
    expect(tested.body).toMatchObject({ is_accepted: true });
    // The server forgets the token: the refused request is repeated with a new one.
    upstream.tokens.clear();
    expect((await call(id)).status).toBe('succeed');
    expect(upstream.tokenRequests.map(({ body }) => [body.get('grant_type'), body.get('resource')])).toEqual([
      ['authorization_code', server.url],
      ['refresh_token', server.url],
    ]);
    expect(upstream.tokenRequests.map(({ authorization }) => authorization)).toEqual(
      Array.from({ length: 2 }, () => `Basic ${btoa('client-1:registered-secret')}`),
    );
  });

  it('asks for further scopes that a call demands', async () => {
    const { server } = await serve();
    const id = await create(server.url);
    await authorize(id);
    expect((await call(id)).status).toBe('succeed');
    const { upstream, server: strict } = await serve({ callScope: 'write' });
    const other = await create(strict.url);
    await authorize(other);
    expect((await call(other)).error).toMatchObject({
      ...{ code: 'mcp_unauthorized', message: expect.stringContaining('demands further scopes (write)') },
    });
    expect((await authorize(other)).searchParams.get('scope')).toBe('read write');
    expect((await call(other)).status).toBe('succeed');
    // Each authorization registers a client anew, with its scope.
    expect(upstream.registrations).toHaveLength(2);
  });

  it('uses a registered client, whose secret is sent only to allowed hosts', async () => {
    const elsewhere = await serve();
    const { upstream, server } = await serve({ authorizationServers: [new URL(elsewhere.server.url).origin] });
    const secret = 'secret-of-the-client';
    const id = await create(server.url, { settings: { client_id: 'mine' }, secret });
    const refused = await begin(id);
    expect([refused.status, refused.body.id[0]]).toEqual([400, expect.stringContaining('allowedHosts')]);
    const hosts = [server.url, elsewhere.server.url].map(url => new URL(url).host);
    const more = { settings: { client_id: 'mine' }, secret, allowed_hosts: hosts };
    const allowed = await create(server.url, more);
    expect((await authorize(allowed)).searchParams.get('client_id')).toBe('mine');
    expect([upstream.registrations, elsewhere.upstream.registrations]).toEqual([[], []]);
    expect(elsewhere.upstream.tokenRequests[0]?.authorization).toBe(`Basic ${btoa(`mine:${secret}`)}`);
  });

  it('says why it cannot begin', async () => {
    const open = await startMcpServer();
    started.push(open);
    const free = await begin(await create(open.url));
    expect([free.status, free.body.id[0]]).toEqual([400, expect.stringContaining('demands no authorization')]);
    // Without users the authorization server has no `registration_endpoint` either.
    const { server } = await serve({ hasUsers: false });
    const closed = await begin(await create(server.url));
    expect([closed.status, closed.body.id[0]]).toEqual([400, expect.stringContaining('registers no clients')]);
    const { server: foreign } = await serve({ resource: 'https://evil.example.com/mcp' });
    const wrong = await begin(await create(foreign.url));
    expect([wrong.status, wrong.body.id[0]]).toEqual([400, expect.stringContaining('another resource')]);
  });
});

describe('the description of the service as an OAuth client', () => {
  it('exists only with a public address', () => {
    expect(clientMetadataOf('http://localhost:4000')).toBeNull();
    expect(clientMetadataOf('https://example.com')).toMatchObject({
      url: 'https://example.com/console/oauth-client.json',
      document: { redirect_uris: ['https://example.com/connections/authorized'], token_endpoint_auth_method: 'none' },
    });
  });
});
