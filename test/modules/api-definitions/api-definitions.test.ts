import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { domainErrorOf } from '../../../src/graphql/errors.js';
import { SlotGauge } from '../../../src/platform/metrics/slot-gauge.js';
import { ClientDisconnectedError } from '../../../src/platform/requests/client-disconnected-error.js';
import { OpenApiReader } from '../../../src/providers/openapi/open-api-reader.js';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { chain, field, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type LoopbackServer, serveHttp } from '../../support/upstreams/loopback-server.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

const SECRET = 'a-secret-of-the-connection';
let service: TestService;
let model: StubUpstream;
let api: LoopbackServer;
let project: number;
const received: { method?: string; url?: string; authorization?: string; body: string }[] = [];

const document = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '2.0' },
  servers: [{ url: '/v1' }],
  paths: {
    '/pets/{id}': {
      get: {
        ...{ operationId: 'getPet', summary: 'Returns a pet.' },
        parameters: [
          { in: 'path', name: 'id', required: true, schema: { type: 'string' } },
          { in: 'query', name: 'full', schema: { type: 'boolean' } },
        ],
      },
    },
    '/pets': {
      post: {
        operationId: 'createPet',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
      },
    },
    '/lists/{ids}/items': {
      post: {
        operationId: 'readLists',
        parameters: [{ in: 'path', name: 'ids', required: true, schema: { type: 'array', items: { type: 'string' } } }],
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: { type: 'object', properties: { b: { type: 'array', items: { type: 'string' } } } },
            },
          },
        },
      },
    },
    '/pictures': { post: { requestBody: { required: true, content: { 'image/png': {} } } } },
  },
  components: {
    schemas: { Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
  },
};

beforeAll(async () => {
  api = await serveHttp(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method, url, headers } = request;
    if (url === '/openapi.yaml') return void response.end(stringify(document));
    received.push({ method, url, body, ...(headers.authorization ? { authorization: headers.authorization } : {}) });
    response.setHeader('content-type', 'application/json').end('{"name": "Rex"}');
  });
  model = await startStubUpstream();
  service = await startTestService({
    outboundAllow: ['127.0.0.1'],
    openai: { baseUrl: model.url, apiKey: 'sk-test' },
  });
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Pets' } })).body.id;
});
afterAll(async () => {
  await service?.stop();
  await model?.stop();
  await api?.close();
});

let count = 0;
async function load(body: object) {
  count += 1;
  return service.rest('POST', '/api/v1/api-definitions/', { body: { project, name: `Api ${count}`, ...body } });
}

async function operationsOf(id: number, query = ''): Promise<Record<string, any>> {
  const { body } = await service.rest('GET', `/api/v1/api-definitions/${id}/operations/?size=100${query}`);
  return Object.fromEntries(body.items.map((each: { name: string }) => [each.name, each]));
}

async function connect(body: object = {}): Promise<number> {
  count += 1;
  const connection = { project, name: `Name ${count}`, kind: 'bearer', secret: SECRET, allowed_hosts: ['127.0.0.1'] };
  return (await service.rest('POST', '/api/v1/connections/', { body: { ...connection, ...body } })).body.id;
}

async function runOf(data: object, input: object = {}) {
  const saved = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } });
  const started = await service.rest('POST', `/api/v1/workflows/${saved.body.id}/run/`, { body: input });
  expect(started.body.status ?? started.body).toBe(201);
  return awaitFinish(service, started.body.data.id);
}

describe('an imported document', () => {
  it('is read from an address, relative to which its server is', async () => {
    const { status, body } = await load({ name: 'Pets', url: `${api.url}/openapi.yaml` });
    expect([status, body]).toMatchObject([
      201,
      {
        ...{ project, name: 'Pets', title: 'Pets', version: '2.0', source_url: `${api.url}/openapi.yaml` },
        ...{ base_url: `${api.url}/v1`, connection: null, operations_count: 3 },
        skipped_operations: ['POST /pictures: bodies of the type image/png are not supported'],
      },
    ]);
    const { getPet, createPet } = await operationsOf(body.id);
    expect(getPet).toMatchObject({
      operation_id: 'getPet',
      method: 'GET',
      path: '/pets/{id}',
      summary: 'Returns a pet.',
    });
    expect(createPet.parameters).toMatchObject({ required: ['body'], properties: { body: { $ref: '#/$defs/Pet' } } });
    expect(Object.keys(await operationsOf(body.id, '&contains=RETURNS'))).toEqual(['getPet']);
    expect(Object.keys(await operationsOf(body.id, '&contains=%25'))).toEqual([]);
    const log = await service.graphql(`{ auditLog(projectId: ${project}) { items { action } } }`);
    expect(log.data.auditLog.items[0].action).toBe('api-definition.import');
  });

  it('is replaced by an import with the same name, and changed and deleted', async () => {
    const first = await load({ name: 'Replaced', document: JSON.stringify(document), base_url: api.url });
    const one = JSON.stringify({ ...document, paths: { '/one': { get: {} } } });
    const second = await load({ name: 'Replaced', document: one, base_url: `${api.url}/` });
    expect(second.body).toMatchObject({ id: first.body.id, operations_count: 1, base_url: api.url, source_url: null });
    const at = `/api/v1/api-definitions/${first.body.id}/`;
    const connection = await connect();
    const changed = await service.rest('PATCH', at, { body: { name: 'Renamed', connection } });
    expect(changed.body).toMatchObject({ name: 'Renamed', connection, base_url: api.url });
    const { get_one: operation } = await operationsOf(first.body.id);
    expect(operation.http_node).toEqual({ method: 'GET', url: `${api.url}/one`, connection_id: connection });
    expect((await service.rest('DELETE', at)).status).toBe(204);
    expect((await service.rest('GET', at)).status).toBe(404);
  });

  it('is refused with the reason', async () => {
    const faultOf = async (body: object) => {
      const answer = await load(body);
      expect(answer.status).toBe(400);
      return answer.body;
    };
    const text = JSON.stringify(document);
    expect(await faultOf({})).toMatchObject({ url: [expect.any(String)], document: [expect.any(String)] });
    expect(await faultOf({ url: 'https://a.example.com', document: text })).toHaveProperty('document');
    expect(await faultOf({ document: '{"openapi": ' })).toMatchObject({ document: [expect.stringContaining('JSON')] });
    expect(await faultOf({ document: 'a: [' })).toMatchObject({ document: [expect.stringContaining('YAML')] });
    expect(await faultOf({ document: 'swagger: "2.0"' })).toMatchObject({ document: [expect.stringContaining('3.1')] });
    expect(await faultOf({ document: text })).toHaveProperty('base_url');
    expect(await faultOf({ document: text, base_url: 'ftp://a.example.com' })).toHaveProperty('base_url');
    expect(await faultOf({ document: text, base_url: 'https://{{ env.A }}' })).toHaveProperty('base_url');
    expect(await faultOf({ url: 'http://10.0.0.1/openapi.json' })).toMatchObject({
      url: [expect.stringContaining('not allowed')],
    });
    const mail = await connect({ kind: 'smtp', settings: { host: 'mail.example.com' }, allowed_hosts: undefined });
    expect(await faultOf({ document: text, base_url: api.url, connection: mail })).toHaveProperty('connection');
    const aliases = `a: &a [x, x]\n${Array.from({ length: 9 }, (_, n) => `b${n}: &b${n} [${'*a,'.repeat(20)}]`).join('\n')}`;
    expect(await faultOf({ document: aliases })).toHaveProperty('document');
  });
});

it('documents of one project are read in one thread, which ends when the client disconnects, and do not delay others', async () => {
  const gauge = new SlotGauge('openapi');
  const reader = new OpenApiReader(gauge);
  const never = new AbortController().signal;
  const disconnect = new AbortController();
  const properties = (next: number) =>
    Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`p${n}`, { $ref: `#/components/schemas/S${next}` }]));
  const schemas = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`S${n}`, { type: 'object', properties: properties(Math.min(39, n + 1)) }]),
  );
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } };
  const paths = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, n) => [`/p${n}`, { post: { requestBody: { content } } }]),
  );
  const slow = JSON.stringify({ ...document, paths, components: { schemas } });
  const reads = Array.from({ length: 21 }, () => reader.read(1, slow, disconnect.signal).catch(error => error));
  await expect(reader.read(1, slow, never)).rejects.toThrow('Too many documents are being imported');
  expect([gauge.inUse, [...gauge.queues].map(({ waiting }) => waiting)]).toEqual([1, [20]]);
  expect((await reader.read(2, JSON.stringify(document), never)).operations.length).toBeGreaterThan(0);
  disconnect.abort(new ClientDisconnectedError());
  for (const error of await Promise.all(reads)) expect(domainErrorOf(error)?.extensions.code).toBe('UNAVAILABLE');
  expect((await reader.read(1, JSON.stringify(document), never)).operations.length).toBeGreaterThan(0);
});

describe('an operation', () => {
  it('fills an HTTP node, whose request has the credentials of the connection', async () => {
    const connection = await connect();
    const { body } = await load({ document: JSON.stringify(document), base_url: `${api.url}/v1`, connection });
    const { getPet, createPet } = await operationsOf(body.id);
    const read = await runOf(chain(trigger(field('id')), node('http-node', getPet.http_node), output()), { id: 'a/b' });
    expect(read).toMatchObject({ status: 'succeed', output: '{"name": "Rex"}' });
    expect(received.at(-1)).toMatchObject({ method: 'GET', url: '/v1/pets/a%2Fb', authorization: `Bearer ${SECRET}` });
    await runOf(chain(trigger(field('name')), node('http-node', createPet.http_node), output()), { name: 'Ada' });
    expect(received.at(-1)).toMatchObject({ method: 'POST', url: '/v1/pets', body: '{"name":"Ada"}' });
  });

  it('is a tool of an agent with checked arguments, which is called once', async () => {
    const connection = await connect();
    const { body } = await load({ document: JSON.stringify(document), base_url: `${api.url}/v1`, connection });
    const { getPet } = await operationsOf(body.id);
    const before = received.length;
    const calls = [{ id: '..' }, { id: 'rex', full: true }];
    model.respondWith(({ messages }) => {
      const args = calls[messages.filter(({ role }: { role: string }) => role === 'tool').length];
      if (args === undefined) return { role: 'assistant', content: 'Done.' };
      const call = { name: 'getPet', arguments: JSON.stringify(args) };
      return { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: call }] };
    });
    const agent = node('agent-node', {
      messages: [{ role: 'user', message: 'Which pet?' }],
      settings: { model_name: 'gpt-4o' },
      tools: [getPet.agent_tool],
    });
    expect(await runOf(chain(trigger(), agent, output()))).toMatchObject({ status: 'succeed', output: 'Done.' });
    expect(received.slice(before)).toEqual([
      { method: 'GET', url: '/v1/pets/rex?full=true', body: '', authorization: `Bearer ${SECRET}` },
    ]);
    const { tools, messages } = model.requests.at(-1);
    expect(tools[0].function).toMatchObject({ name: 'getPet', description: 'Returns a pet.' });
    const results = messages.filter(({ role }: { role: string }) => role === 'tool');
    expect(results.map(({ content }: { content: string }) => content)).toEqual([
      expect.stringContaining('id'),
      '{"name": "Rex"}',
    ]);
  });

  it('sends lists of arguments, which in a path select no other path', async () => {
    const { body } = await load({ name: 'Lists', document: JSON.stringify(document), base_url: `${api.url}/v1` });
    const { readLists } = await operationsOf(body.id);
    const before = received.length;
    const calls = [{ ids: ['..'] }, { ids: [] }, { ids: ['1', '2'], b: ['3', '4'] }];
    model.respondWith(({ messages }) => {
      const args = calls[messages.filter(({ role }: { role: string }) => role === 'tool').length];
      if (args === undefined) return { role: 'assistant', content: 'Done.' };
      const call = { name: 'readLists', arguments: JSON.stringify(args) };
      return { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: call }] };
    });
    const agent = node('agent-node', {
      messages: [{ role: 'user', message: 'Which lists?' }],
      settings: { model_name: 'gpt-4o' },
      tools: [readLists.agent_tool],
    });
    expect(await runOf(chain(trigger(), agent, output()))).toMatchObject({ status: 'succeed', output: 'Done.' });
    expect(received.slice(before)).toEqual([{ method: 'POST', url: '/v1/lists/1%2C2/items', body: 'b=3&b=4' }]);
    const request = node('http-node', readLists.http_node);
    const failed = await runOf(chain(trigger(field('ids')), request, output()), { ids: '..' });
    expect(failed).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('url_segment takes') },
    });
    expect(received.length).toBe(before + 1);
  });

  it('reaches only the allowed hosts of its connection', async () => {
    const connection = await connect({ allowed_hosts: ['api.example.com'] });
    const { body } = await load({ document: JSON.stringify(document), base_url: api.url, connection });
    const { getPet } = await operationsOf(body.id);
    const before = received.length;
    const end = await runOf(chain(trigger(field('id')), node('http-node', getPet.http_node), output()), { id: '1' });
    expect(end).toMatchObject({ status: 'failed' });
    expect(received.length).toBe(before);
  });
});
