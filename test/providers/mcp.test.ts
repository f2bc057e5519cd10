import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type McpServer, type McpTool, PortError } from '../../src/engine/ports.js';
import { createOutbound } from '../../src/platform/outbound/outbound.js';
import { schemaHash } from '../../src/providers/mcp/schema-hash.js';
import { createMcpCaller } from '../../src/providers/mcp.js';
import { eventually } from '../support/eventually.js';
import {
  echoTool,
  type McpBehaviour,
  type McpTestServer,
  startMcpServer,
  type TestTool,
} from '../support/upstreams/mcp-server.js';

const mcp = createMcpCaller(createOutbound({ allow: ['127.0.0.1'] }));
const call = { signal: new AbortController().signal };
const started: McpTestServer[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
});

async function serve(behaviour?: McpBehaviour): Promise<McpTestServer> {
  const server = await startMcpServer(behaviour);
  started.push(server);
  return server;
}

const at = (endpointUrl: string, more: Partial<McpServer> = {}): McpServer => ({
  endpointUrl,
  transport: 'auto',
  headers: {},
  timeoutMs: 120_000,
  ...more,
});
const failure = (promise: Promise<unknown>) =>
  promise.then(
    value => ({ code: 'none', message: JSON.stringify(value) }),
    ({ code, message }: PortError) => ({ code, message }),
  );
const codeOf = async (promise: Promise<unknown>) => (await failure(promise)).code;
const noneOpen = (server: McpTestServer) =>
  eventually(
    async () => server.openSessions(),
    open => open === 0,
  );

describe('listing tools', () => {
  test.each(['auto', 'streamable_http'] as const)('by %s returns them unchanged', async transport => {
    const server = await serve();
    expect(await mcp.listTools(at(server.url, { transport }), call)).toEqual([echoTool]);
    expect(server.requests).toContain('DELETE /mcp');
    expect(server.openSessions()).toBe(0);
  });

  test.each(['auto', 'sse'] as const)('by %s works with a server that supports only SSE', async transport => {
    const server = await serve();
    expect(await mcp.listTools(at(server.sseUrl, { transport }), call)).toEqual([echoTool]);
    await noneOpen(server);
  });

  test('reads all pages', async () => {
    const pages = Array.from({ length: 5 }, (_, page) =>
      Array.from({ length: 20 }, (_, tool) => ({ ...echoTool, name: `t${page}-${tool}` })),
    );
    const server = await serve({ pages });
    expect((await mcp.listTools(at(server.url), call)).map(({ name }) => name)).toEqual(
      pages.flat().map(({ name }) => name),
    );
  });

  test('sends the headers with every request', async () => {
    const server = await serve();
    await mcp.listTools(at(server.url, { headers: { Authorization: 'Bearer t0ken', 'X-Own': 'yes' } }), call);
    for (const kind of ['POST /mcp', 'DELETE /mcp']) {
      expect(server.headers.get(kind)).toMatchObject({ authorization: 'Bearer t0ken', 'x-own': 'yes' });
    }
    await mcp.listTools(at(server.sseUrl, { transport: 'sse', headers: { 'X-Own': 'yes' } }), call);
    for (const kind of ['GET /sse', 'POST /messages'])
      expect(server.headers.get(kind)).toMatchObject({ 'x-own': 'yes' });
  });

  test('stops at a thousand tools and at a list that never ends', async () => {
    const many = await serve({
      pages: [Array.from({ length: 1_001 }, (_, index) => ({ ...echoTool, name: `t${index}` }))],
    });
    expect(await failure(mcp.listTools(at(many.url), call))).toMatchObject({
      code: 'mcp_protocol',
      message: expect.stringContaining('1000 tools'),
    });
    const endless = await serve({ pages: Array.from({ length: 150 }, () => []) });
    expect(await failure(mcp.listTools(at(endless.url), call))).toMatchObject({
      code: 'mcp_protocol',
      message: expect.stringContaining('100 pages'),
    });
    await noneOpen(many);
    await noneOpen(endless);
  });
});

describe('calling a tool', () => {
  test('sends the arguments and returns the result with the hash of the tool', async () => {
    const server = await serve();
    expect(await mcp.callTool(at(server.url), { name: 'echo' }, { text: 'hi' }, call)).toEqual({
      content: [{ type: 'text', text: 'hi' }],
      structuredContent: undefined,
      isError: false,
      schemaHash: schemaHash(echoTool),
    });
    expect(server.openSessions()).toBe(0);
  });

  test('finds a tool on a later page and reports an unknown one', async () => {
    const server = await serve({ pages: [[{ ...echoTool, name: 'other' }], [echoTool]] });
    const { content } = await mcp.callTool(at(server.url), { name: 'echo' }, { text: 'x' }, call);
    expect(content).toHaveLength(1);
    expect(await codeOf(mcp.callTool(at(server.url), { name: 'none' }, {}, call))).toBe('mcp_unknown_tool');
  });

  test('refuses a tool that is not the pinned one, before it is called', async () => {
    const called: string[] = [];
    const server = await serve({
      call: name => {
        called.push(name);
        return { content: [] };
      },
    });
    const pinned = { name: 'echo', schemaHash: schemaHash({ ...echoTool, description: 'Does something else.' }) };
    expect(await codeOf(mcp.callTool(at(server.url), pinned, {}, call))).toBe('mcp_tool_changed');
    expect(called).toEqual([]);
    await mcp.callTool(at(server.url), { name: 'echo', schemaHash: schemaHash(echoTool) }, {}, call);
    expect(called).toEqual(['echo']);
  });

  test('distinguishes an error result from a refused call', async () => {
    const server = await serve({
      call: (_name, args) => {
        if (args.refuse) throw new Error('bad argument s3cret-token');
        return { content: [{ type: 'text', text: 'no luck' }], isError: true };
      },
    });
    expect(await mcp.callTool(at(server.url), { name: 'echo' }, {}, call)).toMatchObject({ isError: true });
    const headers = { 'X-Key': 's3cret-token' };
    const refused = await failure(mcp.callTool(at(server.url, { headers }), { name: 'echo' }, { refuse: true }, call));
    expect(refused.code).toBe('mcp_tool_error');
    expect(refused.message).toContain('bad argument ********');
  });
});

describe('a server that fails', () => {
  const answering = async (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
    (
      await serve({
        intercept: (request, response) => {
          answer(request, response);
          return true;
        },
      })
    ).url;
  const listingCode = (url: string, more?: Partial<McpServer>) => codeOf(mcp.listTools(at(url, more), call));

  test('is not reached at a private address that is not allowed', async () => {
    const guarded = createMcpCaller(createOutbound({ allow: [] }));
    const server = await serve();
    for (const url of [server.url, 'http://169.254.169.254/mcp', 'http://localhost:1/mcp']) {
      for (const transport of ['auto', 'sse', 'streamable_http'] as const) {
        expect(await codeOf(guarded.listTools(at(url, { transport }), call))).toBe('address_refused');
      }
    }
    expect(server.requests).toEqual([]);
  });

  test('refuses a redirect to a private address', async () => {
    for (const status of [302, 307]) {
      for (const transport of ['auto', 'sse', 'streamable_http'] as const) {
        const url = await answering((_, response) =>
          response.writeHead(status, { location: 'http://169.254.169.254/latest' }).end(),
        );
        expect(await listingCode(url, { transport })).toBe('address_refused');
      }
    }
  });

  test('refuses a redirect that its check does not permit', async () => {
    const checkRedirect = () => {
      throw new PortError('host_not_allowed', 'may be sent to api.example.com only');
    };
    const target = await serve();
    for (const transport of ['auto', 'sse', 'streamable_http'] as const) {
      const url = await answering((_, response) => response.writeHead(307, { location: target.url }).end());
      expect(await listingCode(url, { transport, checkRedirect })).toBe('host_not_allowed');
    }
    expect(target.requests).toEqual([]);
  });

  test('is unreachable on a closed port', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    await new Promise(resolve => server.close(resolve));
    for (const transport of ['auto', 'sse', 'streamable_http'] as const) {
      expect(await listingCode(`http://127.0.0.1:${port}/mcp`, { transport })).toBe('mcp_unreachable');
    }
  });

  test.each([401, 403, 404, 405, 429, 500, 503])(
    'with the status %d is unreachable, and the status is reported',
    async status => {
      const url = await answering((_, response) => response.writeHead(status).end('secret details'));
      for (const transport of ['auto', 'sse', 'streamable_http'] as const) {
        const { code, message } = await failure(mcp.listTools(at(url, { transport }), call));
        expect([code, message]).toEqual(['mcp_unreachable', `the MCP server answered with the HTTP status ${status}`]);
      }
    },
  );

  test('by hanging ends in time, whatever it sends before', async () => {
    const silent = await answering(() => {});
    const halfway = await answering((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': still here\n\n');
    });
    for (const url of [silent, halfway]) {
      for (const transport of ['auto', 'sse', 'streamable_http'] as const) {
        expect(await listingCode(url, { transport, timeoutMs: 200 })).toBe('mcp_timeout');
      }
    }
  });

  test.each([
    ['application/json', 'not json'],
    ['application/json', '{"hello": 1}'],
    ['application/json', '[]]'],
    ['text/html', '<!doctype html>'],
    ['text/event-stream', 'event: message\ndata: not json\n\n'],
    ['text/event-stream', 'event: endpoint\ndata: http://169.254.169.254/elsewhere\n\n'],
  ])('by an invalid response of the type %s is reported: %s', async (type, body) => {
    const url = await answering((_, response) => response.writeHead(200, { 'content-type': type }).end(body));
    for (const transport of ['auto', 'streamable_http'] as const) {
      expect(['mcp_protocol', 'mcp_timeout']).toContain(await listingCode(url, { transport, timeoutMs: 1_000 }));
    }
  });

  test.each(['application/json', 'text/event-stream'])('by a flood of %s is cut off', async type => {
    let sent = 0;
    const url = await answering((_, response) => {
      response.writeHead(200, { 'content-type': type });
      const chunk = Buffer.alloc(1024 * 1024, 'x');
      const more = () => {
        while (!response.destroyed && sent < 200e6) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
      };
      more();
    });
    expect(await listingCode(url, { transport: 'streamable_http', timeoutMs: 120_000 })).toBe('mcp_protocol');
    expect(sent).toBeLessThan(100e6);
  });

  test.each<[string, unknown]>([
    ['no list', { tools: 'none' }],
    ['tools without names', { tools: [{ description: 'x' }] }],
  ])('by %s is not an MCP server', async (_, result) => {
    const url = await answering((request, response) => {
      let body = '';
      request.on('data', chunk => {
        body += chunk;
      });
      request.on('end', () => {
        const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
        if (id === undefined) return response.writeHead(method ? 202 : 405).end();
        const initialized = {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'x', version: '1' },
        };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? initialized : result }));
      });
    });
    expect(await listingCode(url)).toBe('mcp_protocol');
  });

  test('is disconnected at once when the call is aborted', async () => {
    const server = await serve({ call: () => new Promise(() => {}) });
    const abort = new AbortController();
    const calling = mcp.callTool(
      at(server.url, { timeoutMs: 600_000 }),
      { name: 'echo' },
      {},
      { signal: abort.signal },
    );
    await eventually(
      async () => server.requests.length,
      count => count >= 5,
    );
    abort.abort(new Error('cancelled'));
    await expect(calling).rejects.toThrow('cancelled');
    await noneOpen(server);
  });
});

describe('the hash of a tool', () => {
  const changed = (more: object): McpTool => ({ ...echoTool, ...more });

  test('is the same for any order of members', () => {
    const reversed = (value: unknown): unknown =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, member]) => [key, reversed(member)]),
          );
    expect(schemaHash(reversed(echoTool) as TestTool)).toBe(schemaHash(echoTool));
    expect(schemaHash(echoTool)).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each<[string, object]>([
    ['description', { description: 'Other.' }],
    ['schema', { inputSchema: { type: 'object', properties: { text: { type: 'number' } } } }],
    ['order of a list', { inputSchema: { type: 'object', required: ['a', 'b'] } }],
    ['annotations', { annotations: { readOnlyHint: false } }],
    ['name', { name: 'echo2' }],
  ])('changes with its %s', (_, more) => {
    expect(schemaHash(changed(more))).not.toBe(schemaHash(echoTool));
  });

  test('is unaffected by titles, metadata and icons', () => {
    expect(schemaHash(changed({ title: 'Other', _meta: {}, icons: [] }))).toBe(schemaHash(echoTool));
  });
});
