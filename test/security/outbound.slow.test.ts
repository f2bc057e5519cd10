import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { McpTransport } from '../../src/engine/ports.js';
import { createOutbound, type Outbound } from '../../src/platform/outbound/outbound.js';
import { createHttpCaller } from '../../src/providers/http.js';
import { createImageProvider } from '../../src/providers/images.js';
import { createLanguageModels } from '../../src/providers/llm/registry.js';
import { createMcpCaller } from '../../src/providers/mcp.js';
import { awaitFinish } from '../rest/workflows/finished-run.js';
import { edge, graph, node, trigger } from '../support/graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';
import { forbiddenUrls, resolveStub } from './forbidden-addresses.js';

/** A server that must never be called. */
class Canary {
  hits = 0;
  port = 0;
  readonly #server = http.createServer((_request, response) => response.end('{}'));

  /** `::` accepts connections to every address of this machine, of both families. */
  async start(host = '::'): Promise<this> {
    this.#server.on('connection', () => this.hits++);
    this.#server.listen(0, host);
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Code that sends requests to an address of a user, with its real client. */
type Sink = (outbound: Outbound, url: string) => Promise<unknown>;

const signal = () => AbortSignal.timeout(100_000);
const mcp =
  (transport: McpTransport, act: 'listTools' | 'callTool'): Sink =>
  (outbound, endpointUrl) => {
    const caller = createMcpCaller(outbound);
    const server = { endpointUrl, transport, headers: { 'x-a': 'b' }, timeoutMs: 5_000 };
    return act === 'listTools'
      ? caller.listTools(server, { signal: signal() })
      : caller.callTool(server, { name: 'echo' }, {}, { signal: signal() });
  };
const request =
  (method: string): Sink =>
  (outbound, url) =>
    createHttpCaller(outbound).request(
      { method, url, headers: {}, maxResponseBytes: 1_000, ...(method === 'POST' ? { body: '{}' } : {}) },
      { signal: signal(), idempotencyKey: 'key' },
    );

/** The image provider answers with a URL from which the image is fetched. */
const image: Sink = (outbound, url) => {
  const request = async () => ({ status: 200, body: Buffer.from(JSON.stringify({ data: [{ url }] })) });
  const upstream = { request } as unknown as Outbound;
  const imageProvider = createImageProvider({
    baseUrl: 'http://images.example/v1',
    upstream,
    outbound,
    maxBytes: 1_000,
  });
  return imageProvider.generate(
    { positive: ['A cat'], negative: [], parameters: {} },
    { signal: signal(), idempotencyKey: 'key' },
  );
};
const provider =
  (name: 'openai' | 'anthropic' | 'gemini', act: 'complete' | 'chat' | 'models'): Sink =>
  (guarded, baseUrl) => {
    const outbound = createOutbound({ allow: [] });
    const key = { id: 1, provider: name, apiKey: 'sk-0123456789abcdef', baseUrl };
    const models = createLanguageModels({ outbound, guarded }).withKeys([key]);
    const messages = [{ role: 'user', content: 'Hi' }];
    const model = `${name}/m`;
    if (act === 'models') return models.modelsOf(name, signal());
    if (act === 'complete')
      return models.complete({ messages, settings: { model_name: model } }, { signal: signal(), idempotencyKey: 'k' });
    const route = models.route(model)!;
    const value = { model, messages };
    return route.provider
      .chat(route.model, { text: JSON.stringify(value), value }, signal(), 1)
      .then(({ body, status }) => {
        if (!Buffer.isBuffer(body)) body.destroy();
        if (status >= 300) throw Object.assign(new Error('refused'), { code: 'upstream_error' });
      });
  };

const SINKS: [title: string, sink: Sink][] = [
  ['an HTTP node or an agent’s HTTP tool, by GET', request('GET')],
  ['an HTTP node or an agent’s HTTP tool, by POST', request('POST')],
  ['the list of an MCP server’s tools', mcp('streamable_http', 'listTools')],
  ['the same over SSE', mcp('sse', 'listTools')],
  ['the same over any transport', mcp('auto', 'listTools')],
  ['the call of an MCP server’s tool', mcp('streamable_http', 'callTool')],
  ['the address of an image', image],
  ['a provider’s address of a project, by a node', provider('openai', 'complete')],
  ['the same by the chat proxy', provider('anthropic', 'chat')],
  ['the same by a test of the key', provider('gemini', 'models')],
];

let canary: Canary;
const open: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  canary = await new Canary().start();
});
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});
afterAll(() => canary.stop());

function client(allow: string[] = [], resolve = resolveStub): Outbound {
  const outbound = createOutbound({ allow, resolve });
  open.push(outbound);
  return outbound;
}

/** Starts a server on loopback that users may call, because it is on the returned allow-list. */
async function startAllowedServer(listener: RequestListener) {
  const server = http.createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, allow: [`127.0.0.1:${port}`] };
}

/**
 * Errors of calls that were refused before they were sent. The MCP client has its own error for a text that is not a URL.
 */
const REFUSED = [
  ...['address_refused', 'bad_url', 'dns_failed', 'mcp_unreachable', 'mcp_protocol'],
  // Redirects of providers are not followed, so they are errors.
  ...['upstream_unreachable', 'upstream_error', 'bad_upstream_answer'],
];
/** A call that failed, or a redirect back to the first address. */
const FAILURES = [...REFUSED, 'connection_failed', 'too_many_redirects'];

/** Calls the URLs. Returns those that were not refused, each with the outcome of the call. */
async function findReached(
  sink: Sink,
  outbound: Outbound,
  urls: readonly string[],
  { prepare = (url: string) => url, refusals = REFUSED } = {},
) {
  const reached: string[] = [];
  for (const url of urls) {
    const outcome = await sink(outbound, prepare(url)).then(
      () => 'an answer',
      (error: { code?: string }) => error.code ?? String(error),
    );
    if (!refusals.includes(outcome)) reached.push(`${url}: ${outcome}`);
  }
  return reached;
}

it('tests at least 60 spellings', () => {
  expect(new Set(forbiddenUrls(1)).size).toBeGreaterThanOrEqual(60);
});

describe.each(SINKS)('%s', (_title, sink) => {
  it('reaches no forbidden address, in any spelling', async () => {
    expect(await findReached(sink, client(), forbiddenUrls(canary.port))).toEqual([]);
    expect(canary.hits).toBe(0);
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect with %i to a forbidden address', async status => {
    let location = '';
    let asked = 0;
    const { url, allow } = await startAllowedServer((_request, response) => {
      asked++;
      response.writeHead(status, { location: encodeURI(location).replaceAll('%25', '%') }).end();
    });
    const urls = [...forbiddenUrls(canary.port), `//127.0.0.1:${canary.port}/`, `//[::1]:${canary.port}`].map(one =>
      one.replaceAll(/[\t\n]/g, ''),
    );
    const prepare = (one: string) => {
      location = one;
      return url;
    };
    const reached = await findReached(sink, client(allow), urls, { prepare, refusals: FAILURES });
    expect(reached).toEqual([]);
    expect(asked).toBeGreaterThanOrEqual(urls.length);
    expect(canary.hits).toBe(0);
  });

  it('is not deceived by a name that resolves to another address the second time', async () => {
    const behind = await new Canary().start('127.0.0.1');
    try {
      const answers = ['127.0.0.2'];
      const rebinding = async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }];
      // The first address is allowed but not listening; the second one is that of the canary.
      const outbound = client([`127.0.0.2:${behind.port}`], rebinding);
      const urls = Array.from({ length: 5 }, (_, at) => `http://rebind.example:${behind.port}/${at}`);
      expect(await findReached(sink, outbound, urls, { refusals: FAILURES })).toEqual([]);
      expect(answers).toEqual([]);
      expect(behind.hits).toBe(0);
    } finally {
      behind.stop();
    }
  });

  it('is not deceived by a name that resolves to another address after a redirect to itself', async () => {
    const { url, allow } = await startAllowedServer((_request, response) => {
      response.writeHead(307, { location: `http://rebind.example:${canary.port}/`, connection: 'close' }).end();
    });
    const answers = ['127.0.0.1'];
    const rebinding = async () => [{ address: answers.shift() ?? '127.0.0.3', family: 4 }];
    const named = url.replace('127.0.0.1', 'rebind.example');
    expect(await findReached(sink, client(allow, rebinding), [named, named])).toEqual([]);
    expect(answers).toEqual([]);
    expect(canary.hits).toBe(0);
  });
});

describe('an MCP server', () => {
  it('cannot redirect messages to another address', async () => {
    const { url, allow } = await startAllowedServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: http://127.0.0.1:${canary.port}/messages\n\n`);
    });
    expect(await findReached(mcp('sse', 'listTools'), client(allow), [url], { refusals: FAILURES })).toEqual([]);
    expect(canary.hits).toBe(0);
  });

  it('cannot redirect the login to another address', async () => {
    const { url, allow } = await startAllowedServer((_request, response) => {
      const place = `http://127.0.0.1:${canary.port}/.well-known/oauth-protected-resource`;
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${place}"` }).end();
    });
    for (const transport of ['auto', 'sse', 'streamable_http'] as const) {
      const refusals = [...REFUSED, 'mcp_unauthorized'];
      expect(await findReached(mcp(transport, 'listTools'), client(allow), [url], { refusals })).toEqual([]);
    }
    expect(canary.hits).toBe(0);
  });
});

it('the canary can be called where it is allowed', async () => {
  const allowed = client(['127.0.0.0/8', '::1']);
  const reached = await new Canary().start();
  try {
    expect(await findReached(request('GET'), allowed, [`http://cname.example:${reached.port}/`])).toHaveLength(1);
    await findReached(mcp('auto', 'listTools'), allowed, [`http://[::1]:${reached.port}/`]);
    expect(reached.hits).toBeGreaterThanOrEqual(2);
  } finally {
    reached.stop();
  }
});

/** The same through the whole product, with a few spellings: the nodes use the clients that were tested above. */
describe('a run', () => {
  let service: TestService;
  let upstream: StubUpstream;
  let project: number;
  const toolResults = new Set<string>();

  beforeAll(async () => {
    upstream = await startStubUpstream();
    upstream.respondWith(({ messages }) => {
      const toolMessage = messages.find(({ role }: { role: string }) => role === 'tool');
      if (toolMessage) toolResults.add(String(toolMessage.content));
      const call = { id: 'c', type: 'function', function: { name: 'fetch', arguments: '{}' } };
      return toolMessage ? { content: 'done' } : { content: null, tool_calls: [call] };
    });
    service = await startTestService({ outboundAllow: [], openai: { baseUrl: upstream.url, apiKey: 'k' } });
    project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Outbound' } })).body.id;
  });
  afterAll(async () => {
    await service?.stop();
    await upstream?.stop();
  });

  const agent = (tool: Record<string, unknown>) =>
    node('agent-node', {
      messages: [{ role: 'user', message: 'Go.' }],
      settings: { model_name: 'gpt-4o-mini' },
      tools: [tool],
      on_error: 'continue',
    });

  it.each(['127.0.0.1', '2130706433', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1'])(
    'reaches nothing at %s through any node',
    async host => {
      const url = `http://${host}:${canary.port}/`;
      const start = trigger();
      const sinks = [
        node('http-node', { url, on_error: 'continue' }),
        node('mcp-node', { endpoint_url: url, tool: 'echo', arguments: {}, on_error: 'continue' }),
        agent({ kind: 'mcp', endpoint_url: url }),
        agent({
          kind: 'http',
          name: 'fetch',
          description: 'Fetches.',
          parameters: { type: 'object' },
          request: { url },
        }),
      ];
      const data = graph(
        [start, ...sinks],
        sinks.map(sink => edge(start, sink)),
      );
      const made = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'Out', data } });
      const run = await service.rest('POST', `/api/v1/workflows/${made.body.id}/run/`, { body: {} });
      expect(run.body.status).toBe(201);
      const result = await awaitFinish(service, run.body.data.id);
      const codes = sinks.map(({ id }) => result.data[id].error?.code ?? result.data[id].result?.content);
      expect(codes).toEqual(['address_refused', 'address_refused', expect.any(String), 'done']);
      expect([...toolResults].every(text => text.includes('not allowed'))).toBe(true);
      expect(toolResults.size).toBeGreaterThan(0);
      expect(canary.hits).toBe(0);
    },
  );

  it.each(['127.0.0.1', '[::1]', 'localhost'])('the route mcp-tools does not reach %s either', async host => {
    const body = { endpoint_url: `http://${host}:${canary.port}/` };
    const answer = await service.rest('POST', '/api/v1/workflows/mcp-tools/', { body });
    expect(answer).toMatchObject({ status: 400, body: { endpoint_url: [expect.stringContaining('not allowed')] } });
    expect(canary.hits).toBe(0);
  });
});
