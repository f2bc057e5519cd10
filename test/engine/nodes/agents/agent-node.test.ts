import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/engine/json-value.js';
import { PortError, type ToolCall } from '../../../../src/engine/ports.js';
import { checkWorkflow } from '../../../../src/engine/workflow/graph/validate.js';
import type { RunEvent } from '../../../../src/engine/workflow/run/run-event.js';
import { fakePorts, usageOf } from '../../fake-ports.js';
import { run } from '../../samples.js';
import {
  type AgentScript,
  type Decision,
  graphOf,
  lookUp,
  lookUpCall,
  mcpTools,
  runAgent,
  toolResults,
} from './agent-run.js';

describe('an agent', () => {
  test('without tools answers with the text of the model, in one recorded step', async () => {
    const { end, steps, prompts } = await runAgent({}, { model: ['Done.'] });
    expect(end).toEqual({ content: 'Done.' });
    expect(steps).toEqual([
      { name: 'model 1', content: '{"text":"Done.","toolCalls":[]}', usage: usageOf(prompts[0]!) },
    ]);
    expect(prompts[0]).toEqual({ messages: [{ role: 'user', content: 'Go.' }], settings: { model_name: 'echo' } });
  });

  test('executes the calls of the model and returns their results to it', async () => {
    const result = await runAgent(
      { tools: [lookUp()] },
      { model: [[lookUpCall({ word: 'owl', count: 2 })], 'A bird.'], http: () => ({ body: 'found owl' }) },
    );
    expect(result.end).toEqual({ content: 'A bird.' });
    expect(result.done).toEqual(['model 1', 'tool 1.1', 'model 2']);
    expect(result.requests).toMatchObject([{ method: 'GET', url: 'http://outside/words?q=owl&n=2' }]);
    expect(result.prompts[1]?.messages).toEqual([
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'c0', name: 'look_up', arguments: '{"word":"owl","count":2}' }],
      },
      { role: 'tool', content: 'found owl', toolCallId: 'c0' },
    ]);
    expect(result.prompts[0]?.tools).toEqual([
      {
        name: 'look_up',
        description: 'Looks a word up.',
        parameters: expect.objectContaining({ required: ['word'] }),
      },
    ]);
    expect(result.steps[1]).toEqual({
      name: 'tool 1.1',
      tool: 'look_up',
      arguments: { word: 'owl', count: 2 },
      content: 'found owl',
    });
  });

  test('makes several calls of one answer one after the other', async () => {
    const calls = ['a', 'b', 'c'].map(word => lookUpCall({ word }));
    const result = await runAgent({ tools: [lookUp()] }, { model: [calls, 'ok'], http: ({ url }) => ({ body: url }) });
    expect(result.done).toEqual(['model 1', 'tool 1.1', 'tool 1.2', 'tool 1.3', 'model 2']);
    expect(toolResults(result)?.map(url => new URL(url).searchParams.get('q'))).toEqual(['a', 'b', 'c']);
  });

  test('makes several calls of one answer at the same time, with results in order', async () => {
    const calls = ['a', 'b', 'c', 'd'].map(word => lookUpCall({ word }));
    const ports = fakePorts({
      llm: request => {
        const isFirst = request.messages.length === 1;
        const toolCalls = calls.map((call, index) => ({ id: `c${index}`, ...call }));
        return { text: isFirst ? '' : 'ok', ...(isFirst ? { toolCalls } : {}), usage: usageOf(request) };
      },
      http: ({ url }) => ({ body: new URL(url).searchParams.get('q') ?? '' }),
      latency: ({ url }) => (url.includes('q=a') ? 50 : 10),
    });
    const data = graphOf({ tools: [lookUp()], parallel_tools: 3, timeout_seconds: 0.1 });
    const events = await run(data, { ports });
    expect(events.at(-1)).toMatchObject({ type: 'run.succeeded' });
    expect(ports.inFlight.most).toBe(3);
    expect(ports.prompts[1]?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
    // The state after each event continues to the same end, without a repeated recorded call.
    for (let cut = 1; cut < events.length; cut++) {
      const recorded = events.slice(0, cut) as RunEvent[];
      const later = await run(data, { ports, recorded });
      expect(later.at(-1)).toMatchObject({ type: 'run.succeeded' });
      const recordedSteps = recorded.flatMap(event => (event.type === 'node.step.succeeded' ? [event.step] : []));
      const repeated = later.flatMap(event => (event.type === 'node.step.started' ? [event.step] : []));
      expect(repeated.filter(step => recordedSteps.includes(step))).toEqual([]);
    }
  });

  test('continues from its recorded steps when it is executed again', async () => {
    const recorded = new Map([
      ['model 1', JSON.stringify({ text: '', toolCalls: [{ id: 'c', ...lookUpCall({ word: 'owl' }) }] })],
      ['tool 1.1', 'found before'],
    ]);
    const result = await runAgent({ tools: [lookUp()] }, { model: ['Done.'], recorded });
    expect(result.requests).toEqual([]);
    expect([toolResults(result), result.end]).toEqual([['found before'], { content: 'Done.' }]);
  });

  test('that never stops fails, and makes no calls whose results would be unused', async () => {
    const { end, requests, prompts } = await runAgent(
      { tools: [lookUp()], max_steps: 3 },
      { model: [[lookUpCall({ word: 'x' })]] },
    );
    expect(end).toMatchObject({ code: 'max_steps_reached', message: expect.stringContaining('3') });
    expect([prompts.length, requests.length]).toEqual([3, 2]);
  });

  test('makes no further call of the model from its budget on, recorded calls included', async () => {
    const data = { tools: [lookUp()], max_cost_usd: 0.003 };
    const { end, prompts } = await runAgent(data, { model: [[lookUpCall({ word: 'x' })]] });
    expect(end).toMatchObject({ code: 'max_cost_reached', message: expect.stringContaining('cost 0.003 US dollars') });
    expect(prompts).toHaveLength(3);
    const call = { id: 'c', ...lookUpCall({ word: 'owl' }) };
    const recorded = new Map([['model 1', JSON.stringify({ text: '', toolCalls: [call], costUsd: '0.002' })]]);
    const resumed = await runAgent(data, { model: [[lookUpCall({ word: 'x' })]], recorded });
    expect([resumed.prompts.length, resumed.end]).toEqual([1, expect.objectContaining({ code: 'max_cost_reached' })]);
  });

  test('fails with the model', async () => {
    const { end } = await runAgent({}, { model: [new PortError('upstream_error', 'down')] });
    expect(end).toMatchObject({ code: 'upstream_error' });
  });
});

describe('mistakes of the model are returned to it', () => {
  test.each<[string, Partial<ToolCall>, string]>([
    ['a tool that does not exist', { name: 'rm -rf /' }, 'Error: There is no tool with this name.'],
    ['arguments that are not JSON', lookUpCall('{"word":'), 'Error: The arguments must be a JSON object.'],
    ['arguments that are a list', lookUpCall('[1]'), 'Error: The arguments must be a JSON object.'],
    ['no arguments', lookUpCall(''), 'Error: The arguments are not valid: word is required.'],
    [
      'arguments of the wrong type',
      lookUpCall({ word: 5 }),
      'Error: The arguments are not valid: word must be of the type string.',
    ],
    [
      'a fraction for a whole number',
      lookUpCall({ word: 'a', count: 1.5 }),
      'Error: The arguments are not valid: count must be of the type integer.',
    ],
    [
      'arguments nested without end',
      lookUpCall(`${'['.repeat(60_000)}${']'.repeat(60_000)}`),
      'Error: The arguments must be a JSON object.',
    ],
    ['endless arguments', lookUpCall('x'.repeat(300_000)), 'Error: The arguments must have at most 262144 characters.'],
  ])('%s', async (_, call, message) => {
    const result = await runAgent({ tools: [lookUp()] }, { model: [[call], 'sorry'] });
    expect(toolResults(result)).toEqual([message]);
    expect(result.end).toEqual({ content: 'sorry' });
    expect(result.requests).toEqual([]);
    // Providers refuse names and arguments of the wrong form when they are sent back.
    const [shown] = result.prompts[1]?.messages[1]?.toolCalls ?? [];
    expect(shown?.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(() => JSON.parse(shown?.arguments ?? '')).not.toThrow();
  });

  test('more calls than one answer may ask for, and ids that repeat', async () => {
    const calls = Array.from({ length: 70 }, () => ({ ...lookUpCall({ word: 'x' }), id: 'same' }));
    const result = await runAgent({ tools: [lookUp()] }, { model: [calls, 'ok'] });
    expect(result.requests).toHaveLength(64);
    expect(toolResults(result)?.at(-1)).toBe('Error: At most 64 tools are called for one answer.');
    const messages = result.prompts[1]?.messages ?? [];
    const ids = messages.flatMap(({ toolCallId }) => toolCallId ?? []);
    expect(new Set(ids).size).toBe(70);
    expect(messages[1]?.toolCalls?.map(({ id }) => id)).toEqual(ids);
  });

  test('a tool that fails', async () => {
    const scriptOf = (answer: { status: number; body: string } | PortError): AgentScript => ({
      model: [[lookUpCall({ word: 'x' })], 'ok'],
      http: () => answer,
    });
    const missing = await runAgent({ tools: [lookUp()] }, scriptOf({ status: 404, body: 'no such word' }));
    expect(toolResults(missing)).toEqual(['Error: the server answered with status 404\nno such word']);
    const refused = new PortError('connection_failed', 'nothing is listening');
    const down = await runAgent({ tools: [lookUp()] }, scriptOf(refused));
    expect(toolResults(down)).toEqual(['Error: nothing is listening']);
  });

  test('but not internal errors', async () => {
    const { end } = await runAgent(
      { tools: [lookUp()] },
      { model: [[lookUpCall({ word: 'x' })], 'ok'], http: () => new TypeError('bug') },
    );
    expect(end).toBeInstanceOf(TypeError);
  });

  test('results of any length are cut, between two characters', async () => {
    const result = await runAgent(
      { tools: [lookUp()] },
      { model: [[lookUpCall({ word: 'x' })], 'ok'], http: () => ({ body: 'ä€😀'.repeat(50_000) }) },
    );
    const [content = ''] = toolResults(result) ?? [];
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(64 * 1024);
    expect(content).toMatch(/^(ä€😀)+ä?€?\n\[truncated: the result has more than 65536 bytes\]$/);
    expect(result.steps[1]?.content).toBe(content);
  });
});

describe('approval', () => {
  const model = [[lookUpCall({ word: 'owl' })], 'ok'];

  test('is requested for each call of a tool, with the arguments', async () => {
    const result = await runAgent({ tools: [lookUp()], approval: 'tools', approval_timeout_seconds: 5 }, { model });
    expect(result.approvals).toEqual([
      {
        ...{ kind: 'tool', tool: 'look_up', arguments: { word: 'owl' }, timeoutSeconds: 5 },
        details: {
          description: 'Looks a word up.',
          schema: {
            type: 'object',
            properties: { word: { type: 'string' }, count: { type: 'integer' } },
            required: ['word'],
          },
        },
      },
    ]);
    expect(result.done).toEqual(['model 1', 'approval 1.1', 'tool 1.1', 'model 2']);
  });

  test('is requested before the start as well, and waits a day', async () => {
    const result = await runAgent({ tools: [lookUp()], approval: 'always' }, { model });
    expect(result.approvals[0]).toEqual({
      ...{ kind: 'start', tool: null, arguments: null, timeoutSeconds: 86_400 },
      details: {
        model: 'echo',
        messages: [{ role: 'user', content: 'Go.' }],
        tools: [{ name: 'look_up', description: 'Looks a word up.' }],
      },
    });
    expect(result.done.slice(0, 3)).toEqual(['start', 'model 1', 'approval 1.1']);
  });

  test.each<[Decision, string]>([
    ['rejected', 'The call was rejected by a person.'],
    ['expired', 'The call was rejected because no one approved it in time.'],
  ])('of a call that is %s is returned to the model', async (decision, message) => {
    const result = await runAgent({ tools: [lookUp()], approval: 'tools' }, { model, decide: () => decision });
    expect([toolResults(result), result.requests, result.end]).toEqual([[message], [], { content: 'ok' }]);
  });

  test.each<[Decision, string]>([
    ['rejected', 'approval_rejected'],
    ['expired', 'approval_expired'],
  ])('of the start that is %s fails the node', async (decision, code) => {
    const { end, prompts } = await runAgent({ approval: 'always' }, { model, decide: () => decision });
    expect([end, prompts]).toEqual([expect.objectContaining({ code }), []]);
  });

  test('with changed arguments calls the tool with them, and informs the model', async () => {
    const decide = () => ({ decision: 'approved', arguments: { word: 'eagle' }, comment: 'No owls.' }) as const;
    const result = await runAgent(
      { tools: [lookUp()], approval: 'tools' },
      { model, decide, http: () => ({ body: 'big' }) },
    );
    expect(result.requests).toMatchObject([{ url: 'http://outside/words?q=eagle&n=' }]);
    expect(result.steps.find(({ tool }) => tool)?.arguments).toEqual({ word: 'eagle' });
    expect(toolResults(result)).toEqual([
      'A person changed the arguments to {"word":"eagle"} before the call. Comment: No owls.\nbig',
    ]);
  });

  test('that is refused with a comment passes the comment on', async () => {
    const decide = () => ({ decision: 'rejected', comment: 'Ask again tomorrow.' }) as const;
    const call = await runAgent({ tools: [lookUp()], approval: 'tools' }, { model, decide });
    expect(toolResults(call)).toEqual(['The call was rejected by a person. Comment: Ask again tomorrow.']);
    const start = await runAgent({ approval: 'always' }, { model, decide });
    expect(start.end).toMatchObject({ message: 'a person rejected the start of the agent: Ask again tomorrow.' });
  });

  test('is not requested for an invalid call', async () => {
    const { approvals } = await runAgent({ tools: [lookUp()], approval: 'tools' }, { model: [[lookUpCall({})], 'ok'] });
    expect(approvals).toEqual([]);
  });
});

describe('an agent is refused', () => {
  test.each<[JsonObject, string, string]>([
    [{ settings: { model_name: 'gpt-0' } }, 'settings.model_name', 'is not served by any configured provider'],
    [{ max_steps: 0 }, 'max_steps', 'must be at least 1'],
    [{ max_steps: 101 }, 'max_steps', 'must be at most 100'],
    [{ approval: 'sometimes' }, 'approval', 'must be one of never, tools, always'],
    [{ approval_timeout_seconds: 2_592_001 }, 'approval_timeout_seconds', 'must be at most 2592000'],
    [{ tools: [{ kind: 'browse' }] }, 'tools.0.kind', 'must be one of mcp, http, workflow, search'],
    [{ tools: ['x'] }, 'tools.0', 'must be an object'],
    [{ tools: [mcpTools({ endpoint_url: 'x' })] }, 'tools.0.endpoint_url', 'must be an http or https address'],
    [{ tools: [lookUp({ name: 'look up' })] }, 'tools.0.name', 'must be 1-64 letters'],
    [{ tools: [lookUp(), lookUp()] }, 'tools.1.name', 'must differ from the names of other tools'],
    [
      { tools: [lookUp({ parameters: { type: 'string', properties: { word: {}, count: {} } } })] },
      'tools.0.parameters',
      'type must be object',
    ],
    [
      { tools: [lookUp({ parameters: { properties: { word: { type: 'text' }, count: {} } } })] },
      'tools.0.parameters',
      'properties.word.type must be one of',
    ],
    [{ tools: [lookUp({ request: undefined })] }, 'tools.0.request', 'required'],
    [{ tools: [lookUp({}, { method: 'FETCH' })] }, 'tools.0.request.method', 'must be one of'],
    [{ tools: [lookUp({}, { body: '{{ args.gone }}' })] }, 'tools.0.request.body', 'refers to an argument'],
    [{ tools: [lookUp({}, { body: '{{ input.gone }}' })] }, 'tools.0.request.body', 'refers to an input'],
    [
      { tools: [lookUp({}, { body: '{{ nodes.gone.content }}' })] },
      'tools.0.request.body',
      'refers to the node "gone"',
    ],
    [{ tools: [lookUp({}, { body: '{{ secrets.x }}' })] }, 'tools.0.request.body', 'unknown reference'],
    [{ tools: [lookUp({ description: '{{ args.word }}' })] }, 'tools.0.description', 'unknown reference'],
    [{ tools: [{ kind: 'workflow', workflow_id: 0 }] }, 'tools.0.workflow_id', 'must be at least 1'],
    [{ tools: Array(65).fill(mcpTools()) }, 'tools', 'must have at most 64 items'],
  ])('with %j', (data, path, message) => {
    const context = { servesModel: (_: unknown, model: string) => model === 'echo' };
    const { issues } = checkWorkflow(graphOf(data), context);
    expect(issues.map(issue => issue.path)).toEqual([path]);
    expect(issues[0]?.message).toContain(message);
  });

  test('but accepts null for optional members', () => {
    const data = { tools: null, max_steps: null, approval: null, approval_timeout_seconds: null, provider: null };
    expect(checkWorkflow(graphOf(data), { servesModel: () => true }).issues).toEqual([]);
  });
});
