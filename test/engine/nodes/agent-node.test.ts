import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { PortError, type ToolCall } from '../../../src/engine/ports.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { usageOf } from '../fake-ports.js';
import { act, type Decision, graphOf, lookUp, lookUpCall, mcpTools, told, type World } from './agent-run.js';

describe('an agent', () => {
  test('without tools answers what the model says, in one recorded step', async () => {
    const { end, steps, prompts } = await act({}, { model: ['Done.'] });
    expect(end).toEqual({ content: 'Done.' });
    expect(steps).toEqual([
      { name: 'model 1', content: '{"text":"Done.","toolCalls":[]}', usage: usageOf(prompts[0]!) },
    ]);
    expect(prompts[0]).toEqual({ messages: [{ role: 'user', content: 'Go.' }], settings: { model_name: 'echo' } });
  });

  test('does what the model asks for and tells it what came of it', async () => {
    const result = await act(
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
    const result = await act({ tools: [lookUp()] }, { model: [calls, 'ok'], http: ({ url }) => ({ body: url }) });
    expect(result.done).toEqual(['model 1', 'tool 1.1', 'tool 1.2', 'tool 1.3', 'model 2']);
    expect(told(result)?.map(url => new URL(url).searchParams.get('q'))).toEqual(['a', 'b', 'c']);
  });

  test('goes on from its recorded steps when it is executed again', async () => {
    const recorded = new Map([
      ['model 1', JSON.stringify({ text: '', toolCalls: [{ id: 'c', ...lookUpCall({ word: 'owl' }) }] })],
      ['tool 1.1', 'found before'],
    ]);
    const result = await act({ tools: [lookUp()] }, { model: ['Done.'], recorded });
    expect(result.requests).toEqual([]);
    expect([told(result), result.end]).toEqual([['found before'], { content: 'Done.' }]);
  });

  test('that never stops fails, and makes no calls whose answers nobody would read', async () => {
    const { end, requests, prompts } = await act(
      { tools: [lookUp()], max_steps: 3 },
      { model: [[lookUpCall({ word: 'x' })]] },
    );
    expect(end).toMatchObject({ code: 'max_steps_reached', message: expect.stringContaining('3') });
    expect([prompts.length, requests.length]).toEqual([3, 2]);
  });

  test('fails with the model', async () => {
    const { end } = await act({}, { model: [new PortError('upstream_error', 'down')] });
    expect(end).toMatchObject({ code: 'upstream_error' });
  });
});

describe('what the model does wrong is told to it', () => {
  test.each<[string, Partial<ToolCall>, string]>([
    ['a tool that does not exist', { name: 'rm -rf /' }, 'Error: There is no tool with this name.'],
    ['arguments that are no JSON', lookUpCall('{"word":'), 'Error: The arguments must be a JSON object.'],
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
    const result = await act({ tools: [lookUp()] }, { model: [[call], 'sorry'] });
    expect(told(result)).toEqual([message]);
    expect(result.end).toEqual({ content: 'sorry' });
    expect(result.requests).toEqual([]);
    // Providers refuse to take back names and arguments of the wrong form.
    const [shown] = result.prompts[1]?.messages[1]?.toolCalls ?? [];
    expect(shown?.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(() => JSON.parse(shown?.arguments ?? '')).not.toThrow();
  });

  test('more calls than one answer may ask for, and ids that repeat', async () => {
    const calls = Array.from({ length: 70 }, () => ({ ...lookUpCall({ word: 'x' }), id: 'same' }));
    const result = await act({ tools: [lookUp()] }, { model: [calls, 'ok'] });
    expect(result.requests).toHaveLength(64);
    expect(told(result)?.at(-1)).toBe('Error: At most 64 tools are called for one answer.');
    const messages = result.prompts[1]?.messages ?? [];
    const ids = messages.flatMap(({ toolCallId }) => toolCallId ?? []);
    expect(new Set(ids).size).toBe(70);
    expect(messages[1]?.toolCalls?.map(({ id }) => id)).toEqual(ids);
  });

  test('a tool that fails', async () => {
    const world = (answer: { status: number; body: string } | PortError): World => ({
      model: [[lookUpCall({ word: 'x' })], 'ok'],
      http: () => answer,
    });
    const missing = await act({ tools: [lookUp()] }, world({ status: 404, body: 'no such word' }));
    expect(told(missing)).toEqual(['Error: the server answered with status 404\nno such word']);
    const down = await act({ tools: [lookUp()] }, world(new PortError('connection_failed', 'nobody is there')));
    expect(told(down)).toEqual(['Error: nobody is there']);
  });

  test('but not what is wrong inside the service', async () => {
    const { end } = await act(
      { tools: [lookUp()] },
      { model: [[lookUpCall({ word: 'x' })], 'ok'], http: () => new TypeError('bug') },
    );
    expect(end).toBeInstanceOf(TypeError);
  });

  test('results of any length are cut, between two characters', async () => {
    const result = await act(
      { tools: [lookUp()] },
      { model: [[lookUpCall({ word: 'x' })], 'ok'], http: () => ({ body: 'ä€😀'.repeat(50_000) }) },
    );
    const [content = ''] = told(result) ?? [];
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(64 * 1024);
    expect(content).toMatch(/^(ä€😀)+ä?€?\n\[truncated: the result has more than 65536 bytes\]$/);
    expect(result.steps[1]?.content).toBe(content);
  });
});

describe('approval', () => {
  const model = [[lookUpCall({ word: 'owl' })], 'ok'];

  test('is asked for each call of a tool, with the arguments', async () => {
    const result = await act({ tools: [lookUp()], approval: 'tools', approval_timeout_seconds: 5 }, { model });
    expect(result.asked).toEqual([{ kind: 'tool', tool: 'look_up', arguments: { word: 'owl' }, timeoutSeconds: 5 }]);
    expect(result.done).toEqual(['model 1', 'approval 1.1', 'tool 1.1', 'model 2']);
  });

  test('is asked before the start as well, and waits a day', async () => {
    const result = await act({ tools: [lookUp()], approval: 'always' }, { model });
    expect(result.asked[0]).toEqual({ kind: 'start', tool: null, arguments: null, timeoutSeconds: 86_400 });
    expect(result.done.slice(0, 3)).toEqual(['start', 'model 1', 'approval 1.1']);
  });

  test.each<[Decision, string]>([
    ['rejected', 'The call was rejected by a person.'],
    ['expired', 'The call was rejected because no one approved it in time.'],
  ])('of a call that is %s is told to the model', async (decision, message) => {
    const result = await act({ tools: [lookUp()], approval: 'tools' }, { model, decide: () => decision });
    expect([told(result), result.requests, result.end]).toEqual([[message], [], { content: 'ok' }]);
  });

  test.each<[Decision, string]>([
    ['rejected', 'approval_rejected'],
    ['expired', 'approval_expired'],
  ])('of the start that is %s fails the node', async (decision, code) => {
    const { end, prompts } = await act({ approval: 'always' }, { model, decide: () => decision });
    expect([end, prompts]).toEqual([expect.objectContaining({ code }), []]);
  });

  test('is not asked for a call that could not be made', async () => {
    const { asked } = await act({ tools: [lookUp()], approval: 'tools' }, { model: [[lookUpCall({})], 'ok'] });
    expect(asked).toEqual([]);
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
    [{ tools: [lookUp({}, { body: '{{ nodes.gone.content }}' })] }, 'tools.0.request.body', 'refers to a node'],
    [{ tools: [lookUp({}, { body: '{{ secrets.x }}' })] }, 'tools.0.request.body', 'unknown reference'],
    [{ tools: [lookUp({ description: '{{ args.word }}' })] }, 'tools.0.description', 'unknown reference'],
    [{ tools: [{ kind: 'workflow', workflow_id: 0 }] }, 'tools.0.workflow_id', 'must be at least 1'],
    [{ tools: Array(65).fill(mcpTools()) }, 'tools', 'must have at most 64 items'],
  ])('with %j', (data, path, message) => {
    const world = { servesModel: (_: unknown, model: string) => model === 'echo' };
    const { issues } = checkWorkflow(graphOf(data), world);
    expect(issues.map(issue => issue.path)).toEqual([path]);
    expect(issues[0]?.message).toContain(message);
  });

  test('and not for null in place of what may be left out', () => {
    const data = { tools: null, max_steps: null, approval: null, approval_timeout_seconds: null, provider: null };
    expect(checkWorkflow(graphOf(data), { servesModel: () => true }).issues).toEqual([]);
  });
});
