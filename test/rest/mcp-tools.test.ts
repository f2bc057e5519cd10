import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { schemaHash } from '../../src/providers/mcp/schema-hash.js';
import { eventually } from '../support/eventually.js';
import { chain, field, type GraphNode, type Json, node, output, trigger } from '../support/graphs.js';
import { setRole } from '../support/members.js';
import { startTestService, type TestService } from '../support/service.js';
import { echoTool, type McpBehaviour, type McpTestServer, startMcpServer } from '../support/upstreams/mcp-server.js';
import { restAsDeclared } from './declared-answers.js';
import { awaitFinish } from './workflows/finished-run.js';

const PATH = '/api/v1/workflows/mcp-tools/';
const SECRET = 'Bearer top-s3cret-token';
const LISTED = [{ ...echoTool, schema_hash: schemaHash(echoTool) }];

let service: TestService;
let ann: { key: string; email: string };
let ben: { key: string; email: string };
const servers: McpTestServer[] = [];

beforeAll(async () => {
  service = await startTestService();
  [ann, ben] = await Promise.all([service.createUser('ann'), service.createUser('ben')]);
});
afterAll(() => service?.stop());
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function serve(behaviour?: McpBehaviour): Promise<McpTestServer> {
  const server = await startMcpServer(behaviour);
  servers.push(server);
  return server;
}

const list = (body: unknown, key = ann.key) => restAsDeclared(service, 'POST', PATH, { body, key });

/** A saved workflow of Ann's that contains this node behind a trigger with a secret and a plain field. */
async function save(tool: GraphNode): Promise<{ id: number; project: number }> {
  const { body: project } = await service.rest('POST', '/api/v1/projects/', { body: { name: 'P' }, key: ann.key });
  const fields = trigger(
    field('token', { is_secret: true, default_value: SECRET }),
    field('host', { default_value: 'unused' }),
    field('empty'),
  );
  const data = chain(fields, tool, output());
  const { body } = await service.rest('POST', '/api/v1/workflows/', {
    body: { project: project.id, title: 'W', data },
    key: ann.key,
  });
  for (const server of servers) if (JSON.stringify(tool).includes(server.url)) await awaitPinning(server);
  return { id: body.id, project: project.id };
}

/**
 * Waits until the request that lists the tools in the background after saving has ended, and forgets its requests: later
 * ones are those of the test.
 */
async function awaitPinning(server: McpTestServer): Promise<void> {
  await eventually(
    async () => server.requests,
    requests => requests.includes('DELETE /mcp'),
  );
  server.requests.splice(0);
}

const mcpNode = (endpoint_url: string, more: Json = {}) =>
  node('mcp-node', {
    ...{ endpoint_url, tool: 'echo', timeout: 30, headers: { Authorization: '{{ input.token }}' } },
    ...more,
  });

describe('listing the tools of an MCP server', () => {
  it('answers with the tools as the server lists them, each with its hash', async () => {
    const server = await serve();
    const { status, body } = await list({
      endpoint_url: server.url,
      transport: 'auto',
      headers: { 'X-Own': 'yes', 'X-None': null },
      timeout: 30,
    });
    expect([status, body]).toEqual([200, LISTED]);
    expect(server.headers.get('POST /mcp')).toMatchObject({ 'x-own': 'yes' });
    expect(server.openSessions()).toBe(0);
  });

  it.each(['sse', 'streamable_http'])('uses the transport %s on request', async transport => {
    const server = await serve();
    const endpoint_url = transport === 'sse' ? server.sseUrl : server.url;
    expect((await list({ endpoint_url, transport, timeout: 30 })).body).toEqual(LISTED);
  });

  it('is a query in GraphQL', async () => {
    const server = await serve();
    const query = 'query ($url: String!) { mcpTools(endpointUrl: $url, transport: STREAMABLE_HTTP, timeout: 30) }';
    expect((await service.graphql(query, { url: server.url }, ann.key)).data).toEqual({ mcpTools: LISTED });
  });

  it.each<[Json, string]>([
    [{}, 'endpoint_url'],
    [{ endpoint_url: null }, 'endpoint_url'],
    [{ endpoint_url: '' }, 'endpoint_url'],
    [{ endpoint_url: 5 }, 'endpoint_url'],
    [{ endpoint_url: 'ftp://x' }, 'endpoint_url'],
    [{ endpoint_url: 'http://user:pass@x' }, 'endpoint_url'],
    [{ endpoint_url: '{{ input.url }}' }, 'endpoint_url'],
    [{ endpoint_url: 'http://x', transport: 'stdio' }, 'transport'],
    [{ endpoint_url: 'http://x', timeout: 0.05 }, 'timeout'],
    [{ endpoint_url: 'http://x', timeout: 30.1 }, 'timeout'],
    [{ endpoint_url: 'http://x', timeout: 'soon' }, 'timeout'],
    [{ endpoint_url: 'http://x', headers: ['a'] }, 'headers'],
    [{ endpoint_url: 'http://x', headers: { a: {} } }, 'headers'],
    [{ endpoint_url: 'http://x', headers: { 'a b': 'c' } }, 'headers'],
    [{ endpoint_url: 'http://x', headers: { a: 'b\r\nc: d' } }, 'headers'],
    [{ endpoint_url: 'http://x', workflow_id: 1 }, 'node_id'],
    [{ endpoint_url: 'http://x', node_id: 'n' }, 'workflow_id'],
    [{ endpoint_url: 'http://x', workflow_id: 'one', node_id: 'n' }, 'workflow_id'],
    [{ endpoint_url: 'http://x', workflow_id: 2147483647, node_id: 'n' }, 'workflow_id'],
  ])('refuses %j', async (body, member) => {
    const answer = await list(body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body)).toEqual([member]);
  });

  it('needs credentials', async () => {
    const { status } = await restAsDeclared(service, 'POST', PATH, { body: { endpoint_url: 'http://x' }, key: null });
    expect(status).toBe(401);
  });

  it.each<[string, McpBehaviour]>([
    ['late', { intercept: () => true }],
    ['refusing', { intercept: (_, response) => Boolean(response.writeHead(401).end()) }],
    ['talking nonsense', { intercept: (_, response) => Boolean(response.end('<!doctype html>')) }],
    [
      'redirecting to a private address',
      { intercept: (_, response) => Boolean(response.writeHead(307, { location: 'http://10.0.0.1/' }).end()) },
    ],
  ])('answers 400 for a server that is %s', async (_, behaviour) => {
    const server = await serve(behaviour);
    const { status, body } = await list({ endpoint_url: server.url, timeout: 0.5 });
    expect([status, body]).toEqual([400, { endpoint_url: [expect.stringMatching(/^[A-Z].*\.$/)] }]);
  });

  it('answers 400 for a private address and for a closed port', async () => {
    for (const endpoint_url of ['http://169.254.169.254/mcp', 'http://[::1]/mcp', 'http://127.0.0.1:1/mcp']) {
      const { status, body } = await list({ endpoint_url });
      expect([status, Object.keys(body)]).toEqual([400, ['endpoint_url']]);
    }
  });
});

describe('with the stored configuration of a node', () => {
  it('sends the stored headers, secrets in clear, and shows no caller their values', async () => {
    const server = await serve();
    const tool = mcpNode(server.url);
    const { id } = await save(tool);
    const answer = await list({
      endpoint_url: server.url,
      headers: { authorization: '********', 'X-More': '1' },
      workflow_id: id,
      node_id: tool.id,
    });
    expect([answer.status, answer.body]).toEqual([200, LISTED]);
    expect(server.headers.get('POST /mcp')).toMatchObject({ authorization: SECRET, 'x-more': '1' });
  });

  it('masks a stored secret that the server returns', async () => {
    const leakyTool = { ...echoTool, description: `You are ${SECRET}.` };
    const server = await serve({ pages: [[leakyTool]] });
    const tool = mcpNode(server.url);
    const { id: workflow_id } = await save(tool);
    const { body } = await list({ endpoint_url: server.url, workflow_id, node_id: tool.id });
    expect(body).toEqual([{ ...leakyTool, description: 'You are ********.', schema_hash: schemaHash(leakyTool) }]);
  });

  it('accepts headers that repeat stored ones, and prefers new ones', async () => {
    const server = await serve();
    const tool = mcpNode(server.url);
    const { id: workflow_id } = await save(tool);
    const ids = { endpoint_url: server.url, workflow_id, node_id: tool.id };
    await list({ ...ids, headers: { Authorization: '{{ input.token }}' } });
    expect(server.headers.get('POST /mcp')).toMatchObject({ authorization: SECRET });
    await list({ ...ids, headers: { AUTHORIZATION: 'Bearer other' } });
    expect(server.headers.get('POST /mcp')).toMatchObject({ authorization: 'Bearer other' });
    const { status, body } = await list({ ...ids, headers: { 'X-Leak': '{{ input.token }}' } });
    expect([status, Object.keys(body)]).toEqual([400, ['headers']]);
  });

  it('uses the stored address as well, and accepts it in either form', async () => {
    const server = await serve();
    // A placeholder that renders to nothing: the stored form and the rendered form of the address differ.
    const tool = mcpNode(`{{ input.token | default: "" | truncate: 0 }}${server.origin}/mcp`);
    const { id: workflow_id } = await save(tool);
    for (const endpoint_url of [tool.data.endpoint_url, server.url]) {
      expect((await list({ endpoint_url, workflow_id, node_id: tool.id })).body).toEqual(LISTED);
    }
  });

  it('sends nothing stored to another address', async () => {
    const [own, other] = [await serve(), await serve()];
    const tool = mcpNode(own.url);
    const { id: workflow_id } = await save(tool);
    for (const endpoint_url of [other.url, `${own.origin}/other`, '{{ input.host }}']) {
      const { status, body } = await list({ endpoint_url, workflow_id, node_id: tool.id });
      expect([status, Object.keys(body)]).toEqual([400, ['endpoint_url']]);
    }
    expect([own.requests, other.requests]).toEqual([[], []]);
  });

  it('finds the servers of an agent and the nodes inside a loop', async () => {
    const server = await serve();
    const agent = node('agent-node', {
      tools: [
        { kind: 'http' },
        { kind: 'mcp', endpoint_url: server.url, headers: { Authorization: '{{ input.token }}' } },
      ],
    });
    const inner = mcpNode(server.url);
    const loop = node('loop-node', { body: { nodes: [inner], edges: [] } });
    for (const [outer, node_id] of [
      [agent, agent.id],
      [loop, inner.id],
    ] as const) {
      const { id: workflow_id } = await save(outer);
      expect((await list({ endpoint_url: server.url, workflow_id, node_id })).body).toEqual(LISTED);
      expect(server.headers.get('POST /mcp')).toMatchObject({ authorization: SECRET });
    }
  });

  it.each<[string, Json]>([
    ['of another kind', { type: 'http-node' }],
    ['that needs a value of a run', { headers: { A: '{{ input.empty }}' } }],
    ['that needs another node', { headers: { A: '{{ previous.content }}' } }],
    ['with a bad setting', { timeout: 100 }],
  ])('answers 400 for a node %s', async (_, { type = 'mcp-node', ...more }) => {
    const tool = node(type as string, { endpoint_url: 'http://127.0.0.1:1/mcp', tool: 'x', ...more });
    const { id: workflow_id } = await save(tool);
    const { status, body } = await list({ endpoint_url: 'http://127.0.0.1:1/mcp', workflow_id, node_id: tool.id });
    expect([status, Object.keys(body)]).toEqual([400, ['node_id']]);
  });

  it('does not find a workflow of another user, and accepts a viewer of the project', async () => {
    const server = await serve();
    const tool = mcpNode(server.url);
    const { id: workflow_id, project } = await save(tool);
    const body = { endpoint_url: server.url, workflow_id, node_id: tool.id };
    const outsider = await list(body, ben.key);
    expect([outsider.status, outsider.body]).toEqual([400, { workflow_id: ['Object does not exist.'] }]);
    expect(server.requests).toEqual([]);
    await setRole(service, project, ben.email, 'viewer');
    expect((await list(body, ben.key)).status).toBe(200);
    await service.rest('DELETE', `/api/v1/workflows/${workflow_id}/`, { key: ann.key });
    expect((await list(body)).status).toBe(400);
  });
});

describe('a run', () => {
  it('calls the tool and processes its answer in a sandbox', async () => {
    const server = await serve({
      call: (_, { text }) => ({ content: [{ type: 'text', text: `{"said":"${text}"}` }] }),
    });
    const tool = mcpNode(server.url, { arguments: { text: 'hi {{ input.host }}' } });
    const code = node('code-node', {
      code: `return { ...nodes['${tool.id}'].json, length: input.host.length }`,
      timeout_seconds: 30,
    });
    const { body: project } = await service.rest('POST', '/api/v1/projects/', { body: { name: 'P' }, key: ann.key });
    const data = chain(
      trigger(field('token', { is_secret: true, default_value: SECRET }), field('host')),
      tool,
      code,
      output(),
    );
    const { body: workflow } = await service.rest('POST', '/api/v1/workflows/', {
      body: { project: project.id, title: 'W', data },
      key: ann.key,
    });
    const { body: receipt } = await service.rest('POST', `/api/v1/workflows/${workflow.id}/run/`, {
      body: { host: 'Ada' },
      key: ann.key,
    });
    const run = await awaitFinish(service, receipt.data.id, ann.key);
    expect(run).toMatchObject({ status: 'succeed', output: '{"said":"hi Ada","length":3}' });
    expect(server.headers.get('POST /mcp')).toMatchObject({ authorization: SECRET });
    await eventually(
      async () => server.openSessions(),
      open => open === 0,
    );
  });
});
