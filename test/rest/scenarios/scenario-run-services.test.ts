import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type EchoUpstream, startEchoUpstream } from '../../security/canaries/echo-upstream.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type McpTestServer, startMcpServer } from '../../support/upstreams/mcp-server.js';
import { partsBy } from './part-makers.js';
import { scenarioRunsBy } from './scenario-run-requests.js';

const SECRET = 'a-secret-of-the-connection';
const IMAGE = 'https://images.example.com/1.png';
let upstream: EchoUpstream;
let mcp: McpTestServer;
/** Arguments of the calls of the MCP server. */
const mcpCalls: unknown[] = [];
let service: TestService;
let project: number;

const parts = partsBy(
  () => service,
  () => service.key,
);
const runs = scenarioRunsBy(parts, () => project);

beforeAll(async () => {
  upstream = await startEchoUpstream();
  mcp = await startMcpServer({
    call: (name, args) => {
      mcpCalls.push([name, args]);
      return { content: [{ type: 'text', text: args.text }] };
    },
  });
  service = await startTestService({ outboundAllow: ['127.0.0.1'] });
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([upstream?.stop(), mcp?.stop()]);
});
beforeEach(async () => {
  upstream.received.length = 0;
  mcpCalls.length = 0;
  project = await parts.project();
});

describe('a message to an HTTP service', () => {
  it('is sent with the credentials of a connection, and its response is the result', async () => {
    const settings = { base_url: `${upstream.origin}/v1` };
    const body = { project, name: 'Translator', kind: 'bearer', secret: SECRET, settings };
    const connection = (await parts.call('POST', 'connections/', { body })).body.id;
    const parameters = {
      method: 'POST',
      url: '/translate',
      connection_id: connection,
      body: { text: '{{ input.user }}' },
      result: 'answered {{ length(previous.content) > 0 }}',
    };
    const { scenario } = await runs.createScenario('Hello', { provider: 'http', parameters });
    const started = await runs.run({ scenario: scenario.id });
    const run = await runs.awaitEnd(started.body.id);
    expect(run).toMatchObject({ status: 'finished', final_result: 'answered true' });
    expect(upstream.received).toHaveLength(1);
    expect(upstream.received[0]).toContain(SECRET);
    expect(upstream.received[0]).toContain('Hello');
    const journal = await service.sql('select json_agg(j)::text as text from scenario_run_journal j');
    expect(JSON.stringify(journal)).not.toContain(SECRET);
  });

  it('cannot reach private addresses', async () => {
    const parameters = { url: 'http://10.0.0.1/' };
    const { scenario } = await runs.createScenario('Hello', { provider: 'http', parameters });
    const run = await runs.awaitEnd((await runs.run({ scenario: scenario.id })).body.id);
    expect(run.status).toBe('error');
    expect(JSON.stringify(run)).toContain('address_refused');
  });

  it('is refused with the members that are not valid', async () => {
    const parameters = { url: 'http://a.example/{{ nodes.x.content }}', method: 'BREW' };
    const body = { project, key: 'broken', provider: 'http', parameters };
    const { status, body: answer } = await service.rest('POST', '/api/v1/messages/', { body });
    expect(status).toBe(400);
    expect(JSON.stringify(answer)).toContain('method');
  });

  it('is checked again when a model message becomes one', async () => {
    const message = await parts.message(project, { parameters: { model_name: 'echo' } });
    const path = `messages/${message.id}/`;
    const refused = await service.rest('PATCH', `/api/v1/${path}`, { body: { provider: 'mcp' } });
    expect(refused.status).toBe(400);
    const parameters = { endpoint_url: 'https://mcp.example.com/mcp', tool: 'search' };
    expect((await parts.call('PATCH', path, { body: { provider: 'mcp', parameters } })).body.provider).toBe('mcp');
    // The settings of one service are not those of another.
    const other = await service.rest('PATCH', `/api/v1/${path}`, { body: { provider: 'http' } });
    expect([other.status, Object.keys(other.body)]).toEqual([400, expect.arrayContaining(['parameters.url'])]);
  });

  it('is checked by its stored provider when a run changes its copy', async () => {
    const parameters = { url: 'http://a.example/' };
    const { scenario } = await runs.createScenario('Hello', { provider: 'http', parameters });
    const run = await runs.awaitEnd((await runs.run({ scenario: scenario.id })).body.id);
    const change = (body: object) => runs.patch(run.id, 'update-message/', { id: run.messages[0].id, ...body });
    expect((await change({ parameters: { url: 5 } })).status).toBe(400);
    expect((await change({ provider: 'http' })).status).toBe(200);
  });
});

describe('a message to a tool of an MCP server', () => {
  /** Runs a scenario whose only message passes its prompt to the tool `echo`. */
  async function runMessage(content: string, more: Record<string, unknown>, tool = 'echo') {
    const parameters = { endpoint_url: mcp.url, timeout: 30, tool, arguments: { text: '{{ input.user }}' } };
    const { scenario } = await runs.createScenario(content, { provider: 'mcp', parameters, ...more });
    return runs.awaitEnd((await runs.run({ scenario: scenario.id })).body.id);
  }

  it.each<[string, string, object]>([
    ['text', 'Sunny', { final_result: 'Sunny' }],
    ['variables', 'city: Rome', { local_variables: [{ name: 'city', value: 'Rome' }] }],
    ['image', IMAGE, { final_result: IMAGE }],
  ])('has the content of the tool as its result of the type %s', async (return_type, content, expected) => {
    expect(await runMessage(content, { return_type })).toMatchObject({ status: 'finished', ...expected });
    expect(mcpCalls).toEqual([['echo', { text: content }]]);
  });

  it('fails for a result that is not the address of an image', async () => {
    const run = await runMessage('no address', { return_type: 'image' });
    expect(run).toMatchObject({ status: 'error', error: { code: 'bad_image' } });
  });

  it('fails for a tool that the server does not have', async () => {
    const run = await runMessage('Hello', {}, 'none');
    expect(run).toMatchObject({ status: 'error', error: { code: 'mcp_unknown_tool' } });
    expect(mcpCalls).toEqual([]);
  });
});
