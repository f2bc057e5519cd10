import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { eventually } from '../support/eventually.js';
import { chain, field, http, type Json, llm, nested, node, output, template, trigger } from '../support/graphs.js';
import { startTestService, type TestService } from '../support/service.js';

// Each test covers a kind of vulnerability that was found in other workflow services.
let service: TestService;
let project: number;
beforeAll(async () => {
  service = await startTestService({ outboundAllow: [] });
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Neighbours' } })).body.id;
});
afterAll(() => service?.stop());

/** Runs nodes in sequence after a trigger with the input `text`. Returns the final response to polling, or the refusal. */
async function run(nodes: ReturnType<typeof node>[], input: Json = {}): Promise<any> {
  const data = chain(trigger(field('text')), ...nodes);
  const saved = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } });
  const { body } = await service.rest('POST', `/api/v1/workflows/${saved.body.id}/run/`, { body: input });
  if (body.status !== 201) return body.data;
  return eventually(
    async () => (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${body.data.id}`)).body.data,
    ({ status }) => status === 'succeed' || status === 'failed',
  );
}

describe('placeholders lead to values and nowhere else', () => {
  it.each([
    '{{ input.constructor }}',
    '{{ input.constructor.constructor("return process")() }}',
    '{{ input.__proto__.polluted }}',
    '{{ input.text.constructor.name }}',
    '{{ input["constructor"] }}',
    '{{ input.text | constructor }}',
    '{{ input.text | __proto__ }}',
    '{{ process.env.PATH }}',
    '{{ (() => process)() }}',
    '{{ globalThis }}',
  ])('%s', async text => {
    const ended = await run([template(text), output()], { text: 'x' });
    expect(ended.status).toBe('failed');
    expect(JSON.stringify(ended)).not.toMatch(/native code|\/usr\/bin|object global/);
  });
});

describe('code in the sandbox reaches nothing of the service', () => {
  it.each([
    'return this.constructor.constructor("return typeof process")();',
    'return (() => {}).constructor("return typeof process")();',
    'return input.constructor.constructor("return typeof process")();',
    'try { null.x } catch (error) { return error.constructor.constructor("return typeof process")(); }',
    'return [typeof process, typeof require, typeof fetch, typeof globalThis.process].join();',
  ])('%s', async code => {
    const ended = await run([node('code-node', { code }), output()]);
    if (ended.status === 'succeed') expect(ended.output).toMatch(/^(undefined,?)+$/);
    else expect(Object.values<any>(ended.data).at(-1).error.code).toMatch(/code/);
  });
});

it('never evaluates placeholders inside a value', async () => {
  const text = '{{ run.id }} {{ input.text }}';
  const ended = await run([template('{{ input.text }}'), llm('{{ previous.content }}'), output()], { text });
  expect(ended.output).toBe(text);
});

it('treats what looks like code in a setting as text', async () => {
  const left = 'process.exit(1)';
  const end = output();
  const condition = { left, operator: '==', right: '{{ input.text }}' };
  const compared = node('if-else-node', { condition, true_node: end.id, false_node: end.id });
  expect((await run([compared, end], { text: left })).output).toBe('true');
});

describe('an MCP server is an address, never a command', () => {
  it.each([
    { endpoint_url: 'http://127.0.0.1:1/', transport: 'stdio' },
    { endpoint_url: 'npx -y some-server' },
    { endpoint_url: 'file:///bin/sh' },
    { endpoint_url: 'stdio:///bin/sh', command: 'sh', args: ['-c', 'true'] },
  ])('%j', async settings => {
    const listed = await service.rest('POST', '/api/v1/workflows/mcp-tools/', { body: settings });
    expect(listed.status).toBe(400);
    const refused = await run([node('mcp-node', { ...settings, tool: 'x' }), output()]);
    expect(refused).toMatchObject({ status: 'failed', data: expect.any(Object) });
  });
});

describe('a path names an asset of its folder or nothing', () => {
  it.each([
    '/graphiql/assets/..%2f..%2f..%2fpackage.json',
    '/graphiql/assets/%2e%2e/%2e%2e/%2e%2e/package.json',
    '/docs/assets/....//....//package.json',
    '/docs/assets/%00',
    '/graphiql/assets/..%5c..%5cpackage.json',
  ])('%s', async path => {
    const { status } = await service.rest('GET', path);
    expect([400, 403, 404]).toContain(status);
  });
});

it('has no readable field with a password, its hash or a token of a user', async () => {
  const { data } = await service.graphql('{ __schema { types { name fields { name } } } }');
  const types = data.__schema.types as { name: string; fields: { name: string }[] | null }[];
  const sensitive = types.flatMap(({ name, fields }) =>
    (fields ?? [])
      .filter(each => /password|hash|secret|token|sealed/i.test(each.name))
      .map(each => `${name}.${each.name}`),
  );
  // Permitted: token counts of texts and models, the flag of secret input fields, whether and when a connection got a secret, and
  // the secret of webhooks, which is shown once when it is created. A change of password returns a count, its reset by a link a
  // session, its request nothing, and the link itself is shown once.
  const known =
    /\.(tokens|\w+Tokens|isSecret|tokenUrl)$|^User\.hasPassword$|^ConnectedService\.(hasSecret|secretChangedAt)$|^WebhookSecret\.secret$|\.(webhookSecretRotate|webhookSecret|passwordChange|passwordReset|passwordResetRequest|passwordResetLinkCreate)$/;
  expect(sensitive.filter(each => !known.test(each))).toEqual([]);
});

it('accepts no member that moves a workflow to another project', async () => {
  const [me, other] = [await service.createUser('assigning'), await service.createUser('assigned')];
  const theirs = (await service.rest('POST', '/api/v1/projects/', { key: other.key, body: { name: 'Theirs' } })).body
    .id;
  const mine = (await service.rest('POST', '/api/v1/projects/', { key: me.key, body: { name: 'Mine' } })).body.id;
  const made = await service.rest('POST', '/api/v1/workflows/', {
    key: me.key,
    body: { project: mine, projectId: theirs, project_id: theirs, is_published: true, title: 'W', data: { nodes: [] } },
  });
  expect(made.body).toMatchObject({ project: mine, is_published: false });
  await service.rest('PATCH', `/api/v1/workflows/${made.body.id}/`, { key: me.key, body: { project: theirs } });
  const { body } = await service.rest('GET', '/api/v1/workflows/', { key: other.key });
  expect(body.total).toBe(0);
});

describe('nodes and tools call no address that is not public', () => {
  const PRIVATE = [
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0.0.0.0/',
    'http://localhost/',
    'http://127.0.0.1./',
    'http://10.0.0.1/',
  ];
  it.each(PRIVATE)('%s', async url => {
    const [called, listed] = await Promise.all([
      run([http(url), output()]),
      run([node('mcp-node', { endpoint_url: url, tool: 'x' }), output()]),
    ]);
    for (const { data } of [called, listed]) expect(Object.values<any>(data).at(-1).error.code).toBe('address_refused');
    const tools = await service.rest('POST', '/api/v1/workflows/mcp-tools/', { body: { endpoint_url: url } });
    expect(tools.status).toBe(400);
  });
});

describe('nothing of a request is processed before its credentials are checked', () => {
  const code = { nodes: [node('code-node', { code: 'while (true) {}' })], edges: [] };
  it.each([
    ['/api/v1/workflows/check_workflow/', code],
    [`/api/v1/workflows/run/?task_id=${randomUUID()}`, code],
    ['/api/v1/workflows/run/?task_id=none', { data: code }],
    ['/api/v1/workflows/check_workflow/', '{"nodes": ['],
    ['/api/v1/workflows/1/run/', '{'],
    ['/api/v1/workflows/x/run/', '{'],
  ])('%s', async (path, body) => {
    const { status, body: reply } = await service.rest('POST', path, { key: null, body });
    expect([status, reply.code]).toEqual([401, 'not_authenticated']);
  });

  it('a submitted graph only runs in a project of the caller', async () => {
    const { key } = await service.createUser('passing-by');
    const body = { data: chain(trigger(), output('x')), project };
    const path = `/api/v1/workflows/run/?task_id=${randomUUID()}`;
    const { status, body: reply } = await service.rest('POST', path, { key, body });
    expect([status, reply]).toEqual([400, { project: ['Object does not exist.'] }]);
  });
});

describe('a page of another site', () => {
  const origin = { Origin: 'https://elsewhere.example' };
  it.each(['/api/v1/projects/', '/graphql?query=%7Bme%7Bid%7D%7D', '/openapi.json', '/healthz'])(
    'is not let in by %s, and gets no cookie',
    async path => {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await fetch(`${service.url}${path}`, { method, headers: origin });
        expect(headers.get('access-control-allow-origin')).toBeNull();
        expect(headers.get('access-control-allow-credentials')).toBeNull();
        expect(headers.get('set-cookie')).toBeNull();
      }
    },
  );

  it.each([
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{"query":"{me{id}}"}\r\n--x--',
    ],
    ['text/plain', '{"query": "{ me { id } }"}'],
    ['application/x-www-form-urlencoded', 'query=%7Bme%7Bid%7D%7D'],
  ])('sends no operation as %s, which needs no preflight', async (type, body) => {
    const headers = { 'Content-Type': type, ...origin };
    const { status, body: reply } = await service.rest('POST', '/graphql', { body, headers });
    expect(status).toBe(400);
    expect(reply.data).toBeUndefined();
  });

  it('sends no mutation in a URL', async () => {
    const query = encodeURIComponent('mutation { projectCreate(input: {name: "forged"}) { project { id } } }');
    const headers = { 'Apollo-Require-Preflight': 'true' };
    const { status } = await service.rest('GET', `/graphql?query=${query}`, { headers });
    expect(status).toBe(405);
    expect(await service.sql(`select id from project where name = 'forged'`)).toEqual([]);
  });
});

it('never loads a workflow only by its id', async () => {
  const { body: made } = await service.rest('POST', '/api/v1/workflows/', {
    body: { project, title: 'Held', data: chain(trigger(), output('x')) },
  });
  const { key } = await service.createUser('curious');
  for (const [method, rest] of [
    ['GET', ''],
    ['POST', 'run/'],
    ['POST', 'duplicate/'],
    ['GET', 'input-fields/'],
  ] as const)
    expect((await service.rest(method, `/api/v1/workflows/${made.id}/${rest}`, { key })).status).toBe(404);
});

describe('a socket has the same limits as HTTP', () => {
  async function overSocket(payload: { query: string; variables?: Json }): Promise<any> {
    const client = createClient({
      url: `${service.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'X-Api-Key': service.key },
      retryAttempts: 0,
    });
    try {
      for await (const value of client.iterate(payload)) return value;
    } catch (error) {
      return { errors: error };
    } finally {
      await client.dispose();
    }
  }

  it.each([
    ['of tokens', { query: `{ ${'me { id } '.repeat(600)} }` }, 'QUERY_TOO_COMPLEX'],
    [
      'of depth',
      { query: 'query ($data: JSON) { workflowCheck(data: $data) { status } }', variables: { data: nested(65) } },
      'BAD_USER_INPUT',
    ],
    [
      'of texts',
      { query: 'query ($data: JSON) { workflowCheck(data: $data) { status } }', variables: { data: { a: '\u0000' } } },
      'BAD_USER_INPUT',
    ],
  ])('%s', async (_limit, payload, code) => {
    const { body } = await service.rest('POST', '/graphql', { body: payload });
    const reply = await overSocket(payload);
    expect(body.errors[0].extensions.code).toBe(code);
    expect(reply.errors[0].message).toBe(body.errors[0].message);
  });
});

describe('every answer', () => {
  it.each(['/api/v1/projects/', '/graphql', '/healthz', '/nowhere', '/openapi.json', '/docs', '/graphiql', '/'])(
    '%s forbids framing and content sniffing',
    async path => {
      const { headers } = await fetch(`${service.url}${path}`);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('strict-transport-security')).toBeNull();
    },
  );

  it('of the API forbids storing it in caches', async () => {
    for (const path of ['/api/v1/projects/', '/graphql?query=%7Bme%7Bid%7D%7D'])
      expect((await fetch(`${service.url}${path}`)).headers.get('cache-control')).toBe('no-store');
  });

  it('over HTTPS requires HTTPS from then on', async () => {
    const headers = { 'X-Forwarded-Proto': 'https' };
    const answer = await fetch(`${service.url}/healthz`, { headers });
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  });
});
