import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/engine/json-value.js';
import type { SubRunEnd } from '../../../../src/engine/ports.js';
import { PortError } from '../../../../src/engine/ports.js';
import type { SubRunRequest } from '../../../../src/engine/workflow/graph/node-kind.js';
import { lookUp, lookUpCall, mcpTools, runAgent, sayTool, server, toolResults } from './agent-run.js';

describe('the request of an HTTP tool', () => {
  /** Runs an agent whose model calls the tool once with `args`. `request` replaces members of the tool's request. */
  const runWithCall = async (request: JsonObject, args: unknown, input: JsonObject = {}) =>
    runAgent({ tools: [lookUp({}, request)] }, { model: [[lookUpCall(args)], 'ok'], input });

  test('has arguments as values, in addition to those of the run', async () => {
    const { requests } = await runWithCall(
      {
        method: 'POST',
        headers: { Authorization: 'Bearer {{ input.key }}' },
        params: {},
        body: { all: ['{{ args.count }}'], text: 'a {{ args.word | upper }}' },
      },
      { word: 'b', count: 3 },
      { key: 'k' },
    );
    expect(requests).toEqual([
      {
        method: 'POST',
        url: 'http://outside/words',
        headers: {
          Authorization: 'Bearer k',
          'Content-Type': 'application/json',
          'Idempotency-Key': 'run:a:tool 1.1',
        },
        body: '{"all":[3],"text":"a B"}',
        maxResponseBytes: 1024 * 1024,
        key: 'run:a:tool 1.1',
      },
    ]);
  });

  test('never evaluates inserted text again', async () => {
    const { requests } = await runWithCall(
      { method: 'PUT', body: '{{ args.word }} {{ input.key }}' },
      { word: '{{ input.key }}' },
      { key: '{{ args.word }}' },
    );
    expect(requests[0]?.body).toBe('{{ input.key }} {{ args.word }}');
  });

  test('uses the empty text for a missing argument, and only own members', async () => {
    const { requests } = await runWithCall(
      { method: 'PUT', body: '[{{ args.count }}{{ args.toString | default: "-" }}]' },
      { word: 'x' },
    );
    expect(requests[0]?.body).toBe('[-]');
  });

  test('that an argument makes invalid is reported to the model', async () => {
    const result = await runWithCall({ url: '{{ args.word }}' }, { word: 'ftp://x' });
    expect(toolResults(result)).toEqual(['Error: url must be an http or https address']);
    expect(result.requests).toEqual([]);
  });
});

describe('the tools of an MCP server', () => {
  const call = { name: 'say_it', arguments: '{"text":"hi"}' };

  test('are listed once, and called by names that a function may have', async () => {
    const result = await runAgent({ tools: [mcpTools()] }, { model: [[call], 'ok'], mcp: server([sayTool]) });
    expect(result.done).toEqual(['tools 1', 'model 1', 'tool 1.1', 'model 2']);
    expect(result.prompts[0]?.tools).toEqual([
      { name: 'say_it', description: 'Says it.', parameters: sayTool.inputSchema },
    ]);
    expect(toolResults(result)).toEqual(['say it:hi']);
  });

  test('keep their names apart from those of other tools', async () => {
    const { prompts } = await runAgent(
      {
        tools: [
          mcpTools(),
          mcpTools({ endpoint_url: 'http://other/mcp' }),
          lookUp({ name: 'say_it' }),
          { kind: 'workflow', workflow_id: 7 },
        ],
      },
      { model: ['ok'], mcp: server([sayTool, { ...sayTool, name: 'x'.repeat(80) }]) },
    );
    expect(prompts[0]?.tools?.map(({ name }) => name)).toEqual([
      'say_it_2',
      'x'.repeat(64),
      'say_it_3',
      `${'x'.repeat(60)}_2`,
      'say_it',
      'workflow_7',
    ]);
  });

  test('can be chosen', async () => {
    const tools = [sayTool, { ...sayTool, name: 'other' }];
    const { prompts } = await runAgent(
      { tools: [mcpTools({ allowed_tools: ['other'] })] },
      { model: ['ok'], mcp: server(tools) },
    );
    expect(prompts[0]?.tools?.map(({ name }) => name)).toEqual(['other']);
    const { end } = await runAgent(
      { tools: [mcpTools({ allowed_tools: ['gone'] })] },
      { model: ['ok'], mcp: server(tools) },
    );
    expect(end).toMatchObject({ code: 'mcp_unknown_tool' });
  });

  test('can be too many', async () => {
    const tools = Array.from({ length: 1_000 }, (_, index) => ({ ...sayTool, name: `t${index}` }));
    const many = await runAgent({ tools: [mcpTools()] }, { model: ['ok'], mcp: server(tools) });
    expect([many.end, many.prompts]).toEqual([expect.objectContaining({ code: 'too_many_tools' }), []]);
    const both = await runAgent(
      { tools: [mcpTools(), mcpTools()] },
      { model: ['ok'], mcp: server(tools.slice(0, 100)) },
    );
    expect(both.end).toMatchObject({ code: 'too_many_tools' });
    const long = await runAgent(
      { tools: [mcpTools()] },
      { model: ['ok'], mcp: server([{ ...sayTool, description: 'x'.repeat(600_000) }]) },
    );
    expect(long.end).toMatchObject({ code: 'too_many_tools' });
  });

  test.each([
    ['mcp_timeout', 'the MCP server did not answer within 10 seconds'],
    ['mcp_protocol', 'the MCP server cannot be understood'],
  ])('that cannot be listed fail the node: %s', async (code, message) => {
    const mcp = { listTools: () => Promise.reject(new PortError(code, message)) };
    expect((await runAgent({ tools: [mcpTools()] }, { model: ['ok'], mcp })).end).toMatchObject({ code });
  });

  test('with an invalid schema accept any object', async () => {
    let deep: JsonObject = {};
    for (let depth = 0; depth < 100; depth++) deep = { properties: deep };
    const tools = [null, 5, deep].map((inputSchema, index) => ({ name: `t${index}`, description: 7, inputSchema }));
    const { prompts } = await runAgent({ tools: [mcpTools()] }, { model: ['ok'], mcp: server(tools) });
    expect(prompts[0]?.tools?.map(({ description, parameters }) => [description, parameters])).toEqual(
      Array(3).fill(['', { type: 'object' }]),
    );
  });

  test('that fail are reported to the model', async () => {
    const failing = server([sayTool], async () => ({
      content: [{ type: 'text', text: 'no voice' }],
      isError: true,
      schemaHash: '',
    }));
    const failed = await runAgent({ tools: [mcpTools()] }, { model: [[call], 'ok'], mcp: failing });
    expect(toolResults(failed)).toEqual(['Error: the tool failed: no voice']);
    const silent = server([sayTool], () => Promise.reject(new PortError('mcp_timeout', 'no answer')));
    expect(toolResults(await runAgent({ tools: [mcpTools()] }, { model: [[call], 'ok'], mcp: silent }))).toEqual([
      'Error: no answer',
    ]);
  });

  test('are pinned at the first call, and called in the form that the model received', async () => {
    const seen: unknown[] = [];
    const mcp = server([sayTool], async (_, tool) => {
      seen.push(tool);
      return { content: [], isError: false, schemaHash: 'say it/Says it.' };
    });
    const { pins } = await runAgent({ tools: [lookUp(), mcpTools()] }, { model: [[call], 'ok'], mcp });
    expect(seen).toEqual([{ name: 'say it', schemaHash: 'say it/Says it.' }]);
    expect([...pins]).toEqual([['tools.1#say it', 'say it/Says it.']]);
  });

  test('that changed since they were pinned fail the node, before the model sees them', async () => {
    const pins = new Map([['tools.0#say it', 'another form']]);
    const listed = await runAgent({ tools: [mcpTools()] }, { model: [[call], 'ok'], mcp: server([sayTool]), pins });
    expect([listed.end, listed.prompts]).toEqual([expect.objectContaining({ code: 'mcp_tool_changed' }), []]);
    const mcp = server([sayTool], () => Promise.reject(new PortError('mcp_tool_changed', 'changed')));
    const called = await runAgent({ tools: [mcpTools()] }, { model: [[call], 'ok'], mcp });
    expect(called.end).toMatchObject({ code: 'mcp_tool_changed' });
  });
});

describe('a workflow as a tool', () => {
  const tools = [{ kind: 'workflow', workflow_id: 7 }];
  const model = [[{ name: 'workflow_7', arguments: '{"a":[1]}' }], 'ok'];

  test('runs with the arguments as its input', async () => {
    const requests: SubRunRequest[] = [];
    const subRun = (request: SubRunRequest): SubRunEnd => {
      requests.push(request);
      return { status: 'succeeded', runId: 'r', content: 'x'.repeat(100_000) };
    };
    const result = await runAgent({ tools }, { model, subRun });
    expect(requests).toEqual([{ workflowId: 7, input: { a: [1] } }]);
    expect(toolResults(result)?.[0]?.length).toBe(64 * 1024);
    expect(result.prompts[0]?.tools?.[0]).toMatchObject({ name: 'workflow_7', parameters: { type: 'object' } });
  });

  test('that fails is reported to the model', async () => {
    const subRun = (): SubRunEnd => ({ status: 'failed', runId: 'r', error: { code: 'c', message: 'it broke' } });
    expect(toolResults(await runAgent({ tools }, { model, subRun }))).toEqual(['Error: it broke']);
  });
});
