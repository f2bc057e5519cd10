import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { joinProject } from '../../support/members.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';
import { allEvents, connect, createProject, createTool, eventsOf, graph, node, post } from './mcp-fixtures.js';

let service: TestService;
let upstream: StubUpstream;
let project: number;
let greet: number;
const topic = { id: 'topic', title: 'Topic', type: 'text', input_requirements: true, tooltip: 'What to greet.' };
const llm = (more = {}) =>
  node('llm', 'basic-node', {
    messages: [{ role: 'user', message: 'Write about {{ input.topic }}' }],
    settings: { model_name: 'gpt-4o-mini' },
    ...more,
  });
const out = (value: string) => node('out', 'output-node', { value });

beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' } });
  project = await createProject(service, 'Tools');
  greet = await createTool(service, project, 'greet', graph([topic], out('Hello {{ input.topic }}')));
  await createTool(
    service,
    project,
    'write',
    graph([topic], llm({ next_nodes: ['out'] }), out('{{ previous.content }}')),
  );
  await createTool(service, project, 'facts', graph([], out('{"size": 3}')));
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

const runsOf = async (workflow: number) =>
  (await service.rest('GET', `/api/v1/workflows/${workflow}/history/?size=100`)).body.items;
const call = (id: unknown, name: string, args: object, meta?: object) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: args, ...(meta ? { _meta: meta } : {}) },
});
async function initialize(version = '2025-11-25'): Promise<Record<string, string>> {
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const response = await post(
    service.url,
    service.key,
    { jsonrpc: '2.0', id: 0, method: 'initialize', params },
    { project },
  );
  expect((await response.json()).result.protocolVersion).toBe(version);
  return { 'Mcp-Session-Id': response.headers.get('mcp-session-id')! };
}

describe('tools', () => {
  it('lists the offered workflows with schemas from their input fields', async () => {
    const client = await connect(service.url, service.key, { project });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['facts', 'greet', 'write']);
    expect(tools[1]).toEqual({
      ...{ name: 'greet', title: 'Title of greet', description: 'Calls greet.' },
      inputSchema: {
        type: 'object',
        properties: { topic: { type: 'string', title: 'Topic', description: 'What to greet.' } },
        required: ['topic'],
      },
    });
    await client.close();
  });

  it('returns the output of the run with its id', async () => {
    const client = await connect(service.url, service.key, { project });
    const result = await client.callTool({ name: 'greet', arguments: { topic: 'cats' } });
    expect(result.content).toEqual([{ type: 'text', text: 'Hello cats' }]);
    const runId = (result._meta as any)['scenarium/runId'];
    expect((await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${runId}`)).body.data.output).toBe(
      'Hello cats',
    );
    const facts = await client.callTool({ name: 'facts', arguments: {} });
    expect(facts.structuredContent).toEqual({ size: 3 });
    await client.close();
  });

  it('names what is wrong with a call', async () => {
    const client = await connect(service.url, service.key, { project });
    const missing = await client.callTool({ name: 'greet', arguments: {} });
    expect(missing).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/topic.*required/) }] });
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow(
      /Unknown tool "nothing". Available: facts, greet, write\./,
    );
    await client.close();
  });

  it('reports the failure of a run as an error of the tool', async () => {
    await createTool(
      service,
      project,
      'zfail',
      graph([], node('stop', 'http-node', { url: 'http://127.0.0.1:1/', method: 'GET' })),
    );
    const client = await connect(service.url, service.key, { project });
    const result = await client.callTool({ name: 'zfail', arguments: {} });
    expect(result.isError).toBe(true);
    await client.close();
    const tools = (await service.rest('GET', `/api/v1/projects/${project}/mcp-server-tools/?size=100`)).body.items;
    const { workflow } = tools.find((tool: any) => tool.name === 'zfail');
    expect((await service.rest('DELETE', `/api/v1/workflows/${workflow}/mcp-server-tool/`)).status).toBe(204);
  });
});

describe('a call', () => {
  it('reports progress from the changes of the run', async () => {
    const client = await connect(service.url, service.key, { project });
    const seen: { progress: number; message?: string | undefined }[] = [];
    await client.callTool({ name: 'write', arguments: { topic: 'cats' } }, undefined, {
      onprogress: ({ progress, message }) => seen.push({ progress, message }),
    });
    const numbers = seen.map(({ progress }) => progress);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(seen.map(({ message }) => message)).toContain('Node "llm" succeeded.');
    await client.close();
  });

  it('is the same run when the request is repeated', async () => {
    const headers = await initialize();
    const before = (await runsOf(greet)).length;
    const send = async () => {
      const response = await post(service.url, service.key, call(7, 'greet', { topic: 'dogs' }), { project, headers });
      return (await allEvents(response)).at(-1)!.message;
    };
    const [first, ...others] = await Promise.all([send(), send(), send()]);
    expect(first.result.content[0].text).toBe('Hello dogs');
    for (const other of others) expect(other).toEqual(first);
    expect((await runsOf(greet)).length).toBe(before + 1);
  });

  it('is the same run in another session with the same key', async () => {
    const before = (await runsOf(greet)).length;
    const send = async (id: number, subject: string) => {
      const meta = { 'scenarium/idempotencyKey': 'order-1' };
      const headers = await initialize();
      const response = await post(service.url, service.key, call(id, 'greet', { topic: subject }, meta), {
        project,
        headers,
      });
      if (!response.headers.get('content-type')!.includes('event-stream')) return response.json();
      return (await allEvents(response)).at(-1)!.message;
    };
    const first = await send(1, 'birds');
    const second = await send(2, 'birds');
    expect(second.result).toEqual(first.result);
    expect((await runsOf(greet)).length).toBe(before + 1);
    expect(await send(3, 'fish')).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('another request') },
    });
  });

  it('cancels its run when the client cancels it', async () => {
    const held = upstream.hold();
    const client = await connect(service.url, service.key, { project });
    const abort = new AbortController();
    const result = client.callTool({ name: 'write', arguments: { topic: 'cats' } }, undefined, {
      signal: abort.signal,
    });
    await held.arrived;
    abort.abort('not needed');
    await expect(result).rejects.toThrow('not needed');
    await held.gone;
    const [run] = await service.sql('select state from workflow_run order by created_at desc limit 1');
    expect(run!.state).toBe('cancelled');
    held.release();
    await client.close();
  });

  it('cancels the run of a call with a key', async () => {
    const held = upstream.hold();
    const headers = await initialize();
    const meta = { 'scenarium/idempotencyKey': 'cancelled-one' };
    const response = await post(service.url, service.key, call('a', 'write', { topic: 'cats' }, meta), {
      project,
      headers,
    });
    await held.arrived;
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } };
    expect((await post(service.url, service.key, cancelled, { project, headers })).status).toBe(202);
    await held.gone;
    held.release();
    const { message } = (await allEvents(response)).at(-1)!;
    expect(message.result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('cancelled') }] });
  });

  it('continues after its stream ended, from the last received event', async () => {
    const held = upstream.hold();
    const headers = await initialize();
    const abort = new AbortController();
    const response = await fetch(new URL(`/mcp/${project}`, service.url), {
      ...{ method: 'POST', signal: abort.signal },
      headers: {
        ...{ ...headers, 'X-Api-Key': service.key, 'Content-Type': 'application/json' },
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(call(9, 'write', { topic: 'cats' }, { progressToken: 'p' })),
    });
    const events = eventsOf(response);
    const priming = (await events.next()).value!;
    expect(priming.message).toBeNull();
    const started = (await events.next()).value!;
    abort.abort();
    await held.arrived;
    held.release();
    const resume = (id: string) =>
      fetch(new URL(`/mcp/${project}`, service.url), {
        headers: { ...headers, 'X-Api-Key': service.key, Accept: 'text/event-stream', 'Last-Event-ID': id },
      });
    const rest = await allEvents(await resume(started.id));
    const numbers = rest.slice(0, -1).map(({ message }) => message.params.progress);
    expect(numbers[0]).toBe(started.message.params.progress + 1);
    expect(rest.at(-1)!.message).toMatchObject({ id: 9, result: { content: [{ text: 'stub answer' }] } });
    const whole = await allEvents(await resume(priming.id));
    expect(whole.filter(({ message }) => message !== null).map(({ id }) => id)).toEqual([
      started.id,
      ...rest.map(({ id }) => id),
    ]);
    const last = await allEvents(await resume(rest.at(-1)!.id));
    expect(last.at(-1)!.message).toEqual(rest.at(-1)!.message);
  });
});

describe('access', () => {
  it('hides the server of a project from other users and its calls from viewers', async () => {
    const stranger = await service.createUser('stranger');
    await expect(connect(service.url, stranger.key, { project })).rejects.toThrow(/Not found/);
    const viewer = await service.createUser('viewer');
    await joinProject(service, project, viewer.email, 'viewer');
    const client = await connect(service.url, viewer.key, { project });
    expect((await client.listTools()).tools).toHaveLength(3);
    await expect(client.callTool({ name: 'greet', arguments: { topic: 'x' } })).rejects.toThrow(/permission/);
    await client.close();
  });

  it('accepts a session of its user only, in its project only', async () => {
    const headers = await initialize();
    const other = await service.createUser('other');
    await joinProject(service, project, other.email, 'editor');
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await post(service.url, other.key, list, { project, headers })).status).toBe(404);
    const second = await createProject(service, 'Second');
    expect((await post(service.url, service.key, list, { project: second, headers })).status).toBe(404);
    expect((await post(service.url, service.key, list, { project, headers: { 'Mcp-Session-Id': 'x' } })).status).toBe(
      404,
    );
  });

  it('asks for credentials', async () => {
    const response = await post(service.url, '', { jsonrpc: '2.0', id: 1, method: 'ping' }, { project });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { data: { code: 'UNAUTHENTICATED' } } });
  });

  it('finds the only project of a caller', async () => {
    const member = await service.createUser('member');
    const send = (path: string) =>
      fetch(service.url + path, {
        method: 'POST',
        headers: {
          ...{ Authorization: `Bearer ${member.key}`, 'Content-Type': 'application/json' },
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      }).then(response => response.json() as Promise<any>);
    expect(await send('/mcp')).toMatchObject({ error: { message: expect.stringContaining('no project') } });
    await joinProject(service, project, member.email, 'viewer');
    expect((await send('/mcp')).result.tools).toHaveLength(3);
    await joinProject(service, await createProject(service, 'Third'), member.email, 'viewer');
    expect(await send('/mcp')).toMatchObject({ error: { message: expect.stringContaining('/mcp/{project id}') } });
    expect(await send('/mcp/x')).toMatchObject({ error: { code: -32600 } });
  });
});

describe('an external issuer', () => {
  it('is named as the authorization server', async () => {
    const issuer = { jwksUrl: 'http://127.0.0.1:1/keys', issuer: 'https://login.example', audience: 'scenarium' };
    const secured = await startTestService({ issuer, role: 'api' });
    try {
      const { status, headers } = await post(
        secured.url,
        '',
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        { project: 7 },
      );
      const metadata = `${secured.url}/.well-known/oauth-protected-resource/mcp/7`;
      expect([status, headers.get('www-authenticate')]).toEqual([401, `Bearer resource_metadata="${metadata}"`]);
      expect(await (await fetch(metadata)).json()).toMatchObject({
        resource: `${secured.url}/mcp/7`,
        authorization_servers: ['https://login.example'],
      });
      expect((await fetch(`${secured.url}/.well-known/oauth-protected-resource/other`)).status).toBe(404);
    } finally {
      await secured.stop();
    }
  });
});

describe('a request that is not MCP', () => {
  it.each([
    ['{', 400, -32700],
    ['[]', 400, -32600],
    ['{"jsonrpc":"1.0"}', 400, -32600],
    [{ jsonrpc: '2.0', id: {}, method: 'ping' }, 400, -32600],
    [{ jsonrpc: '2.0', id: 1, method: 'x/y' }, 200, -32601],
    [{ jsonrpc: '2.0', id: 1, method: '__proto__' }, 200, -32601],
    [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 'x' } }, 200, -32602],
    [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 7 } }, 200, -32602],
    [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'greet', arguments: [] } }, 200, -32602],
  ])('gets an error that says why: %j', async (message, status, code) => {
    const response = await post(service.url, service.key, message, { project });
    expect([response.status, (await response.json()).error.code]).toEqual([status, code]);
  });

  it.each([
    [{ Accept: 'application/json' }, 406],
    [{ 'Content-Type': 'text/plain' }, 415],
    [{ 'MCP-Protocol-Version': '1999-01-01' }, 400],
    [{ Origin: 'https://evil.example' }, 403],
  ])('is refused for its headers %j', async (headers, status) => {
    const response = await post(
      service.url,
      service.key,
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { project, headers: headers as never },
    );
    expect([response.status, typeof (await response.json()).error.message]).toEqual([status, 'string']);
  });

  it('opens no stream without the id of an event', async () => {
    const get = (headers: Record<string, string>) =>
      fetch(new URL(`/mcp/${project}`, service.url), { headers: { 'X-Api-Key': service.key, ...headers } });
    expect((await get({})).status).toBe(405);
    for (const id of ['x', '1.e30', `1.${Buffer.from('["x",1]').toString('base64url')}`])
      expect((await get({ 'Last-Event-ID': id })).status).toBe(400);
    const unknown = Buffer.from(JSON.stringify(['00000000-0000-4000-8000-000000000000', 1])).toString('base64url');
    const [event] = await allEvents(await get({ 'Last-Event-ID': `1.${unknown}` }));
    expect(event!.message).toMatchObject({ id: 1, error: { data: { code: 'NOT_FOUND' } } });
  });
});

describe('settings', () => {
  it('keeps names unique in a project and forgets those of archived workflows', async () => {
    const other = await createTool(service, project, 'temporary', graph([], out('1')));
    const path = `/api/v1/workflows/${greet}/mcp-server-tool/`;
    const conflict = await service.rest('PUT', path, { body: { name: 'temporary' } });
    expect([conflict.status, conflict.body.detail]).toEqual([409, expect.stringContaining('"temporary"')]);
    expect((await service.rest('PUT', path, { body: { name: 'not a name' } })).body).toEqual({
      name: [expect.any(String)],
    });
    await service.rest('DELETE', `/api/v1/workflows/${other}/`);
    expect((await service.rest('PUT', path, { body: { name: 'temporary' } })).status).toBe(200);
    expect((await service.rest('PUT', path, { body: { name: 'greet', is_enabled: false } })).body).toMatchObject({
      is_enabled: false,
    });
    const client = await connect(service.url, service.key, { project });
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('greet');
    await client.close();
    await service.rest('PUT', path, { body: { name: 'greet', description: 'Calls greet.' } });
  });

  it('pages through many tools', async () => {
    const many = await createProject(service, 'Many');
    for (let n = 0; n < 55; n++) await createTool(service, many, `tool-${n}`, graph([], out('1')));
    const client = await connect(service.url, service.key, { project: many });
    const first = await client.listTools();
    const second = await client.listTools({ cursor: first.nextCursor! });
    expect([first.tools.length, second.tools.length, second.nextCursor]).toEqual([50, 5, undefined]);
    await client.close();
  });

  it('records changes in the audit log and counts requests', async () => {
    const { data } = await service.graphql(
      'query ($p: Int!) { auditLog(projectId: $p, size: 100) { items { action } } }',
      { p: project },
    );
    const actions = data.auditLog.items.map(({ action }: { action: string }) => action);
    expect(actions).toContain('mcp-server-tool.update');
    await eventually(
      async () => (await fetch(`${service.url}/metrics`)).text(),
      text => /scenarium_mcp_requests_total\{method="tools\/call",outcome="answered"\} \d/.test(text),
    );
  });
});
