import { afterEach, describe, expect, test } from '@jest/globals';
import type { McpClientCredentials, McpServer, PortError } from '../../src/engine/ports.js';
import { HostGuard } from '../../src/engine/workflow/graph/secrets/secret-hosts.js';
import { createOutbound } from '../../src/platform/outbound/outbound.js';
import { createMcpCaller } from '../../src/providers/mcp.js';
import { echoTool, type McpTestServer, startMcpServer } from '../support/upstreams/mcp-server.js';
import { type OAuthBehaviour, OAuthUpstream } from '../support/upstreams/oauth-server.js';

const call = { signal: new AbortController().signal };
const started: McpTestServer[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
});

const SECRET = 's3cret-of-client';

async function serve(behaviour?: OAuthBehaviour) {
  const upstream = new OAuthUpstream(behaviour);
  const server = await startMcpServer({ intercept: upstream.intercept });
  started.push(server);
  const mcp = createMcpCaller(createOutbound({ allow: ['127.0.0.1'] }));
  const at = (auth: Partial<McpClientCredentials> = {}, more: Partial<McpServer> = {}): McpServer => ({
    endpointUrl: server.url,
    transport: 'auto',
    headers: {},
    timeoutMs: 120_000,
    auth: { clientId: 'client-1', clientSecret: SECRET, ...auth },
    ...more,
  });
  return { upstream, server, mcp, at };
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    ({ code, message }: PortError) => ({ code, message }),
  );

describe('client credentials', () => {
  test.each(['auto', 'sse'] as const)('authorize a session over %s', async transport => {
    const { upstream, server, mcp, at } = await serve();
    const endpointUrl = transport === 'sse' ? server.sseUrl : server.url;
    Object.assign(upstream, { behaviour: { resource: endpointUrl } });
    expect(await mcp.listTools(at({}, { transport, endpointUrl }), call)).toEqual([echoTool]);
    const [request, ...more] = upstream.tokenRequests;
    expect(more).toEqual([]);
    expect(Object.fromEntries(request?.body ?? [])).toEqual({
      grant_type: 'client_credentials',
      scope: 'read',
      resource: endpointUrl,
    });
    expect(request?.authorization).toBe(`Basic ${btoa(`client-1:${SECRET}`)}`);
  });

  test('are sent in the body to a server that wants them there', async () => {
    const { upstream, mcp, at } = await serve({ methods: ['client_secret_post'] });
    await mcp.listTools(at({ scope: 'own' }), call);
    const { authorization, body } = upstream.tokenRequests[0] ?? {};
    expect(authorization).toBeUndefined();
    expect(Object.fromEntries(body ?? [])).toMatchObject({
      client_id: 'client-1',
      client_secret: SECRET,
      scope: 'own',
    });
  });

  test('give one token to concurrent and later sessions, and another one to other credentials', async () => {
    const { upstream, mcp, at } = await serve();
    await Promise.all([1, 2, 3, 4].map(() => mcp.listTools(at(), call)));
    await mcp.callTool(at(), { name: 'echo' }, { text: 'x' }, call);
    expect(upstream.tokenRequests).toHaveLength(1);
    await mcp.listTools(at({ clientSecret: 'another-secret' }), call);
    expect(upstream.tokenRequests).toHaveLength(2);
  });

  test('request a new token when the token is revoked, once, and when it has expired', async () => {
    const { upstream, mcp, at } = await serve();
    await mcp.listTools(at(), call);
    upstream.tokens.clear();
    await Promise.all([1, 2, 3].map(() => mcp.listTools(at(), call)));
    expect(upstream.tokenRequests).toHaveLength(2);
    const expiring = await serve({ expiresIn: 1 });
    await expiring.mcp.listTools(expiring.at(), call);
    const count = expiring.upstream.tokenRequests.length;
    await expiring.mcp.listTools(expiring.at(), call);
    expect(expiring.upstream.tokenRequests.length).toBeGreaterThan(count);
  });

  test('ask once for the scopes that a request lacks', async () => {
    const { upstream, mcp, at } = await serve({ callScope: 'call' });
    await mcp.callTool(at(), { name: 'echo' }, { text: 'x' }, call);
    expect(upstream.tokenRequests.map(({ body }) => body.get('scope'))).toEqual(['read', 'read call']);
  });
});

describe('credentials that do not help', () => {
  test.each<[string, OAuthBehaviour, string]>([
    ['a refused client', { refusal: { error: 'invalid_client', error_description: `no ${SECRET}` } }, 'no ********'],
    ['a server without client credentials', { grantTypes: ['authorization_code'] }, 'of the kind oauth2_code'],
    ['an issuer on another host', { authorizationServers: ['https://auth.example.com'] }, 'set auth.issuer'],
    ['the metadata of another resource', { resource: 'https://other.example.com/mcp' }, 'another resource'],
  ])('%s is reported', async (_, behaviour, message) => {
    const { upstream, mcp, at } = await serve(behaviour);
    expect(await failure(mcp.listTools(at(), call))).toEqual({
      code: 'mcp_unauthorized',
      message: expect.stringContaining(message),
    });
    if (!behaviour.refusal) expect(upstream.tokenRequests).toEqual([]);
  });

  test('are sent only to the configured issuer', async () => {
    const { upstream, mcp, at } = await serve();
    expect(await failure(mcp.listTools(at({ issuer: 'https://auth.example.com' }), call))).toMatchObject({
      code: 'mcp_unauthorized',
      message: expect.stringContaining('does not name auth.issuer'),
    });
    expect(upstream.tokenRequests).toEqual([]);
  });

  test('are not sent to a host that the secret does not allow', async () => {
    const { upstream, server, mcp, at } = await serve();
    const guardOf = (host: string) => new HostGuard([{ field: 'secret', values: [SECRET], hosts: [host] }]);
    const refused = mcp.listTools(guardOf('api.example.com').guardServer(at()), call);
    expect(await failure(refused)).toMatchObject({ code: 'host_not_allowed' });
    expect(upstream.tokenRequests).toEqual([]);
    await mcp.listTools(guardOf(new URL(server.url).hostname).guardServer(at()), call);
    expect(upstream.tokenRequests).toHaveLength(1);
  });

  test('a server that requires OAuth says so to a node without credentials', async () => {
    const { mcp, at } = await serve();
    expect(await failure(mcp.listTools(at({}, { auth: undefined }), call))).toEqual({
      code: 'mcp_unauthorized',
      message: expect.stringContaining('set auth to the credentials of a client'),
    });
  });
});
