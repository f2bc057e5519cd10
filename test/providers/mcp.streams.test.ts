import type http from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { McpServer, PortError } from '../../src/engine/ports.js';
import { createOutbound } from '../../src/platform/outbound/outbound.js';
import { createMcpCaller } from '../../src/providers/mcp.js';
import { echoTool, type McpTestServer, startMcpServer } from '../support/upstreams/mcp-server.js';

const mcp = createMcpCaller(createOutbound({ allow: ['127.0.0.1'] }));
const call = { signal: new AbortController().signal };
const started: McpTestServer[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
});

const at = ({ url }: McpTestServer, more: Partial<McpServer> = {}): McpServer => ({
  endpointUrl: url,
  transport: 'auto',
  headers: {},
  timeoutMs: 120_000,
  ...more,
});
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    ({ code, message }: PortError) => ({ code, message }),
  );

interface Script {
  /** Answers a resumption; `last` is the Last-Event-ID. `answer` is the message with the result of the tool. */
  resume(last: string, answer: string, response: http.ServerResponse): void;
}

/** A server that interrupts the response to `tools/call` after one event with an id. */
async function startInterruptedServer({ resume }: Script) {
  const calls: string[] = [];
  const lastEventIds: string[] = [];
  let answer = '';
  const reply = (response: http.ServerResponse, id: unknown, result: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  const server = await startMcpServer({
    intercept: (request, response) => {
      if (request.method === 'GET') {
        const last = request.headers['last-event-id'];
        if (typeof last === 'string') {
          lastEventIds.push(last);
          resume(last, answer, response);
        } else response.writeHead(405).end();
        return true;
      }
      let body = '';
      request.on('data', chunk => {
        body += chunk;
      });
      request.on('end', () => {
        const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
        if (id === undefined) return response.writeHead(202).end();
        if (method === 'tools/list') return reply(response, id, { tools: [echoTool] });
        if (method !== 'tools/call')
          return reply(response, id, {
            protocolVersion: '2025-06-18',
            capabilities: { tools: {} },
            serverInfo: { name: 'x', version: '1' },
          });
        calls.push(body);
        answer = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'late' }] } });
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('id: e1\nretry: 20\ndata:\n\n');
      });
      return true;
    },
  });
  started.push(server);
  return { server, calls, lastEventIds };
}

const stream = (response: http.ServerResponse, text: string) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);

describe('an interrupted response', () => {
  test('is resumed after the last event, without another call of the tool', async () => {
    const { server, calls, lastEventIds } = await startInterruptedServer({
      resume: (last, answer, response) =>
        stream(response, last === 'e1' ? 'id: e2\ndata:\n\n' : `id: e3\ndata: ${answer}\n\n`),
    });
    const { content } = await mcp.callTool(at(server), { name: 'echo' }, { text: 'x' }, call);
    expect(content).toEqual([{ type: 'text', text: 'late' }]);
    expect(lastEventIds).toEqual(['e1', 'e2']);
    expect(calls).toHaveLength(1);
  });

  test('fails when the stream cannot be resumed', async () => {
    const { server, calls } = await startInterruptedServer({
      resume: (_last, _answer, response) => response.writeHead(500).end(),
    });
    expect(await failure(mcp.callTool(at(server), { name: 'echo' }, {}, call))).toEqual({
      code: 'mcp_protocol',
      message: 'the MCP server cannot be understood: it closed the connection',
    });
    expect(calls).toHaveLength(1);
  });

  test('fails when it is interrupted again and again', async () => {
    const { server, calls, lastEventIds } = await startInterruptedServer({
      resume: (_last, _answer, response) => stream(response, 'id: again\nretry: 0\ndata:\n\n'),
    });
    expect(await failure(mcp.callTool(at(server), { name: 'echo' }, {}, call))).toMatchObject({
      code: 'mcp_protocol',
      message: expect.stringContaining('more than 20 times'),
    });
    expect(lastEventIds.length).toBeLessThanOrEqual(20);
    expect(calls).toHaveLength(1);
  });

  test('fails at the time limit when the server wants a later resumption', async () => {
    const { server } = await startInterruptedServer({
      resume: (_last, _answer, response) => stream(response, 'id: later\nretry: 60000\ndata:\n\n'),
    });
    expect(await failure(mcp.callTool(at(server, { timeoutMs: 500 }), { name: 'echo' }, {}, call))).toMatchObject({
      code: 'mcp_timeout',
    });
  });
});

describe('a question of the server to the user', () => {
  const requestedSchema = {
    type: 'object' as const,
    properties: { city: { type: 'string' as const, default: 'Oslo' }, note: { type: 'string' as const } },
  };
  const answerWith = async (policy: McpServer['elicitation'], required: string[]) => {
    const server = await startMcpServer({
      call: async (_name, _args, ask) => {
        const answer = await ask({ message: 'Which city?', requestedSchema: { ...requestedSchema, required } });
        return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
      },
    });
    started.push(server);
    const { content } = await mcp.callTool(at(server, { elicitation: policy }), { name: 'echo' }, {}, call);
    return JSON.parse((content[0] as { text: string }).text) as unknown;
  };

  test('is declined by default', async () => {
    expect(await answerWith(undefined, [])).toEqual({ action: 'decline' });
  });

  test('is answered with defaults on request, unless a required value has none', async () => {
    expect(await answerWith('accept_defaults', ['city'])).toEqual({ action: 'accept', content: { city: 'Oslo' } });
    expect(await answerWith('accept_defaults', ['note'])).toEqual({ action: 'decline' });
  });

  test('cancels the call and is returned, and gets the answer when the call is repeated', async () => {
    const asked = { message: 'Which city?', schema: { ...requestedSchema, required: ['city'] } };
    const server = await startMcpServer({
      call: async (_name, _args, ask) => {
        const { message, schema: requested } = asked;
        const answer = await ask({ message, requestedSchema: requested });
        if ((answer as { action: string }).action === 'cancel') throw new Error('cancelled');
        return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
      },
    });
    started.push(server);
    const ask = (answers: McpServer['answers']) =>
      mcp.callTool(at(server, { elicitation: 'ask', answers }), { name: 'echo' }, {}, call);
    expect(await ask([])).toEqual({ content: [], isError: false, schemaHash: expect.any(String), question: asked });
    const answer = { action: 'accept' as const, content: { city: 'Oslo' } };
    expect(await ask([{ ...asked, ...answer }])).toMatchObject({ content: [{ text: JSON.stringify(answer) }] });
    expect(await ask([{ ...asked, message: 'Which town?', ...answer }])).toMatchObject({ question: asked });
  });
});
