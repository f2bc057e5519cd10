import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { CallContext, ModelRequest } from '../../../src/engine/ports.js';
import { createOutbound } from '../../../src/platform/outbound/outbound.js';
import { createLanguageModels, type LanguageModels } from '../../../src/providers/llm/registry.js';
import { serveHttp } from '../../support/upstreams/loopback-server.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

const call: CallContext = { signal: new AbortController().signal, idempotencyKey: 'run:node' };
const requestOf = (model: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: 'user', content: 'Hello?' }],
  settings: { model_name: model },
  ...more,
});

/** An OpenAI-compatible upstream whose answers the test decides, and the bodies that it received. */
async function upstream(answer: (response: ServerResponse) => void) {
  const seen: unknown[] = [];
  const server = await serveHttp((request, response) => {
    void json(request).then(body => {
      seen.push(body);
      answer(response.setHeader('content-type', 'application/json'));
    });
  });
  const outbound = createOutbound({ allow: [], trusted: true });
  open.push(server, outbound);
  const models: LanguageModels = createLanguageModels({ openai: { baseUrl: `${server.url}/v1` }, outbound });
  return { models, seen };
}

const answers =
  (message: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  (response: ServerResponse) =>
    void response.end(
      JSON.stringify({ choices: [{ message }], usage: { prompt_tokens: 12, completion_tokens: 3 }, ...more }),
    );

describe('tools', () => {
  const parameters = { type: 'object', properties: { word: { type: 'string' } } };
  const tools = [{ name: 'look_up', description: 'Looks a word up.', parameters }];
  const answersWithCalls = (tool_calls: unknown, message: Record<string, unknown> = { content: null }) =>
    answers({ role: 'assistant', ...message, tool_calls });
  const toolCall = { id: 'c1', type: 'function', function: { name: 'look_up', arguments: '{"word":"owl"}' } };

  test('and their results are sent in the chat-completion format', async () => {
    const { models, seen } = await upstream(answers({ content: 'Hi.' }));
    const messages = [
      { role: 'user', content: 'Owl?' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'look_up', arguments: '{"word":"owl"}' }] },
      { role: 'tool', content: 'a bird', toolCallId: 'c1' },
    ];
    await models.complete(requestOf('gpt-4o-mini', { messages, tools }), call);
    expect(seen[0]).toEqual({
      model: 'gpt-4o-mini',
      messages: [
        { role: 'user', content: 'Owl?' },
        { role: 'assistant', content: null, tool_calls: [toolCall] },
        { role: 'tool', content: 'a bird', tool_call_id: 'c1' },
      ],
      tools: [{ type: 'function', function: { name: 'look_up', description: 'Looks a word up.', parameters } }],
    });
  });

  test('are omitted where there are none', async () => {
    const { models, seen } = await upstream(answers({ content: 'Hi.' }));
    await models.complete(requestOf('gpt-4o-mini', { tools: [] }), call);
    expect(seen[0]).not.toHaveProperty('tools');
  });

  test('that a model asks for are its answer, with or without a text', async () => {
    const toolCalls = [{ id: 'c1', name: 'look_up', arguments: '{"word":"owl"}' }];
    for (const [content, text] of [
      [null, ''],
      [undefined, ''],
      ['Let me see.', 'Let me see.'],
    ] as const) {
      const { models } = await upstream(answersWithCalls([toolCall], { content }));
      const answer = await models.complete(requestOf('gpt-4o-mini', { tools }), call);
      expect(answer).toMatchObject({ text, toolCalls, usage: { promptTokens: 12, completionTokens: 3 } });
    }
  });

  test.each<[string, unknown, unknown]>([
    ['no id', [{ ...toolCall, id: undefined }], [{ id: 'call_0', name: 'look_up', arguments: '{"word":"owl"}' }]],
    ['an id of nonsense', [{ ...toolCall, id: { a: 1 } }], [{ id: 'call_0' }]],
    ['an endless id', [{ ...toolCall, id: 'x'.repeat(10_000) }], [{ id: 'call_0' }]],
    ['no type', [{ ...toolCall, type: undefined }], [{ name: 'look_up' }]],
    ['no arguments', [{ ...toolCall, function: { name: 'f' } }], [{ name: 'f', arguments: '' }]],
    [
      'arguments as an object',
      [{ ...toolCall, function: { name: 'f', arguments: { a: 1 } } }],
      [{ name: 'f', arguments: '{"a":1}' }],
    ],
    ['a number for arguments', [{ ...toolCall, function: { name: 'f', arguments: 5 } }], [{ arguments: '' }]],
    [
      'a null character',
      [{ ...toolCall, id: 'a\0', function: { name: 'f\0', arguments: '\0' } }],
      [{ id: 'a\uFFFD', name: 'f\uFFFD', arguments: '\uFFFD' }],
    ],
    ['other members that are not calls', [null, 5, 'x', {}, { function: {} }, toolCall], [{ id: 'c1' }]],
  ])('with %s are parsed', async (_title, given, read) => {
    const { models } = await upstream(answersWithCalls(given));
    const { toolCalls } = await models.complete(requestOf('gpt-4o-mini', { tools }), call);
    expect(toolCalls).toMatchObject(read as object[]);
    expect(toolCalls).toHaveLength((read as unknown[]).length);
  });

  test.each([[{}], [[null, { type: 'custom', custom: {} }]], ['look_up']])('with %j are ignored', async given => {
    const silent = await upstream(answersWithCalls(given));
    await expect(silent.models.complete(requestOf('gpt-4o-mini'), call)).rejects.toMatchObject({
      code: 'bad_upstream_answer',
      usage: { promptTokens: 12 },
    });
    const { models } = await upstream(answersWithCalls(given, { content: 'Hi.' }));
    const answer = await models.complete(requestOf('gpt-4o-mini'), call);
    expect([answer.text, answer.toolCalls]).toEqual(['Hi.', undefined]);
  });

  test('count where no usage is reported', async () => {
    const { models } = await upstream(answers({ content: null, tool_calls: [toolCall] }, { usage: undefined }));
    const { usage } = await models.complete(requestOf('gpt-4o-mini', { tools }), call);
    expect(usage.completionTokens).toBe(Math.ceil('look_up{"word":"owl"}'.length / 4));
  });

  test('are ignored by echo', async () => {
    const answer = await createLanguageModels({ outbound: createOutbound({ allow: [], trusted: true }) }).complete(
      requestOf('echo', { tools }),
      call,
    );
    expect([answer.text, answer.toolCalls]).toEqual(['Hello?', undefined]);
  });
});
