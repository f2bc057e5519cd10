import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { type McpServer, type McpToolChoice, type McpToolResult, PortError } from '../../../src/engine/ports.js';
import { policyOf } from '../../../src/engine/workflow/graph/common-members.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { nodeKindOf } from '../../../src/engine/workflow/nodes/index.js';
import { fakePorts } from '../fake-ports.js';
import { run, short, trigger, workflow } from '../samples.js';

const mcp = (data: JsonObject) => ({
  id: 'm',
  type: 'mcp-node',
  data: { endpoint_url: 'http://outside/mcp', tool: 'echo', ...data },
});
const t = trigger('t');

/** Runs an MCP node whose tool has this result. Returns its calls, the events and the last event in short. */
async function runNode(data: JsonObject, result: Partial<McpToolResult> | Error = {}, input: JsonObject = {}) {
  const calls: { server: McpServer; tool: McpToolChoice; args: JsonObject }[] = [];
  const ports = fakePorts({
    mcp: {
      callTool: async (server, tool, args) => {
        calls.push({ server, tool, args });
        if (result instanceof Error) throw result;
        return { content: [], isError: false, schemaHash: '', ...result };
      },
    },
  });
  const events = await run(workflow([t, mcp(data)], ['t>m']), { ports, input });
  return { calls, events, end: short(events).at(-1) };
}

const contentOf = async (result: Partial<McpToolResult>) => {
  const { events } = await runNode({}, result);
  const finished = events.find(event => event.type === 'node.succeeded' && event.node === 'm');
  return finished?.type === 'node.succeeded' ? finished.content : undefined;
};

describe('an MCP node', () => {
  test('calls its tool with values in place of placeholders', async () => {
    const { calls } = await runNode(
      {
        endpoint_url: 'http://{{ input.host }}/mcp',
        headers: { Authorization: 'Bearer {{ input.key }}', 'X-None': null, 'X-Count': 3 },
        transport: 'sse',
        timeout: 2.5,
        arguments: { text: 'to {{ input.who }}', list: ['{{ input.count }}'], fixed: true },
      },
      {},
      { host: 'there', key: 'k', who: 'Ada', count: 5 },
    );
    expect(calls).toEqual([
      {
        server: {
          endpointUrl: 'http://there/mcp',
          transport: 'sse',
          headers: { Authorization: 'Bearer k', 'X-Count': '3' },
          timeoutMs: 2_500,
        },
        tool: { name: 'echo' },
        args: { text: 'to Ada', list: [5], fixed: true },
      },
    ]);
  });

  test('has time for a task as long as its time limit for tasks', async () => {
    const { calls } = await runNode({ task_timeout_seconds: 900 });
    expect(calls).toMatchObject([{ server: { timeoutMs: 10_000, taskTimeoutMs: 900_000 } }]);
    const limitOf = (data: JsonObject) => policyOf(data, nodeKindOf('mcp-node')!).timeoutMs;
    const limits = [{}, { task_timeout_seconds: 900 }, { task_timeout_seconds: 900, timeout_seconds: 300 }].map(
      limitOf,
    );
    expect(limits).toEqual([60_000, 930_000, 300_000]);
    expect(limitOf({ task_timeout_seconds: '{{ input.seconds }}' })).toBe(60_000);
  });

  test('requires only an address and a tool', async () => {
    const { calls } = await runNode({});
    expect(calls).toEqual([
      {
        server: { endpointUrl: 'http://outside/mcp', transport: 'auto', headers: {}, timeoutMs: 10_000 },
        tool: { name: 'echo' },
        args: {},
      },
    ]);
  });

  test('has an OAuth client and an answer to questions of the server', async () => {
    const auth = { type: 'oauth_client_credentials', client_id: 'me', client_secret: '{{ input.key }}', scope: 'a b' };
    const { calls } = await runNode({ auth, elicitation: 'accept_defaults' }, {}, { key: 'k' });
    expect(calls[0]?.server).toMatchObject({
      auth: { clientId: 'me', clientSecret: 'k', scope: 'a b' },
      elicitation: 'accept_defaults',
    });
  });

  test('fails when the server asks more than 10 questions', async () => {
    const ports = fakePorts({
      mcp: {
        callTool: async (server: McpServer) => ({
          ...{ content: [], isError: false, schemaHash: '' },
          question: { message: `Question ${server.answers?.length}`, schema: { type: 'object' } },
        }),
      },
    });
    for (let id = 1; id <= 10; id++) ports.decisions.set(`request-${id}`, { decision: 'rejected' });
    const events = await run(workflow([t, mcp({ elicitation: 'ask' })], ['t>m']), { ports });
    expect(short(events).at(-1)).toBe('run!mcp_too_many_questions');
  });

  test('takes its arguments as one object from a placeholder', async () => {
    const { calls } = await runNode({ arguments: '{{ input.all }}' }, {}, { all: { a: 1 } });
    expect(calls[0]?.args).toEqual({ a: 1 });
  });

  test.each<[Partial<McpToolResult>, string]>([
    [{ content: [{ type: 'text', text: 'one' }] }, 'one'],
    [
      {
        content: [
          { type: 'text', text: 'one' },
          { type: 'image', data: 'x' },
          { type: 'text', text: 'two' },
        ],
      },
      'one\ntwo',
    ],
    [{ content: [{ type: 'image', data: 'x' }] }, '{"content":[{"type":"image","data":"x"}]}'],
    [{ content: [], structuredContent: { a: 1 } }, '{"content":[],"structuredContent":{"a":1}}'],
    [{ content: [] }, '{"content":[]}'],
    [{ content: [null, 'odd', { type: 'text' }] }, '{"content":[null,"odd",{"type":"text"}]}'],
  ])('of the result %j keeps %s', async (result, content) => {
    expect(await contentOf(result)).toBe(content);
  });

  test.each<[unknown[], string]>([
    [[{ type: 'text', text: 'no such city' }], 'the tool failed: no such city'],
    [[], 'the tool failed without an error message'],
  ])('fails when the tool does', async (content, message) => {
    const { events, end } = await runNode({}, { content, isError: true });
    expect(end).toBe('run!mcp_tool_error');
    expect(JSON.stringify(events)).toContain(JSON.stringify({ code: 'mcp_tool_error', message }));
  });

  test('fails with the error of the MCP client', async () => {
    const { end } = await runNode({}, new PortError('mcp_unreachable', 'the MCP server cannot be reached'));
    expect(end).toBe('run!mcp_unreachable');
  });

  test.each<[JsonObject, string]>([
    [{ endpoint_url: '{{ input.x }}' }, 'invalid_settings'],
    [{ headers: { 'X-A': '{{ input.x }}' } }, 'invalid_header'],
    [{ arguments: '{{ input.x }}' }, 'invalid_settings'],
  ])('makes no call when a value is invalid: %j', async (data, code) => {
    const { calls, end } = await runNode(data, {}, { x: 'no\nway' });
    expect(calls).toEqual([]);
    expect(end).toBe(`run!${code}`);
  });

  test.each<[JsonObject, string, string]>([
    [{ endpoint_url: 'ftp://x' }, 'endpoint_url', 'must be an http or https address'],
    [{ tool: '' }, 'tool', 'must not be empty'],
    [{ timeout: 31 }, 'timeout', 'must be at most 30'],
    [{ transport: 'stdio' }, 'transport', 'must be one of auto'],
    [{ elicitation: 'later' }, 'elicitation', 'must be one of decline'],
    [
      { auth: { type: 'oauth_client_credentials', client_id: 'me' } },
      'auth',
      'must have either client_secret or private_key',
    ],
    [{ arguments: [1] }, 'arguments', 'must be an object'],
  ])('is refused with %j', (data, path, message) => {
    const { issues } = checkWorkflow(workflow([t, mcp(data)], ['t>m']), { servesModel: () => true });
    expect(issues.map(issue => issue.path)).toEqual([path]);
    expect(issues[0]?.message).toContain(message);
  });
});
