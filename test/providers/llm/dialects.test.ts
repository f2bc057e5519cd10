import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallContext, ModelRequest } from '../../../src/engine/ports.js';
import { createOutbound, type Outbound } from '../../../src/platform/outbound/outbound.js';
import { createLanguageModels, type LanguageModels } from '../../../src/providers/llm/registry.js';
import { type ChatUpstream, events, json, startChatUpstream } from '../../support/upstreams/chat-upstream.js';

let upstream: ChatUpstream;
let outbound: Outbound;
let models: LanguageModels;

beforeAll(async () => {
  upstream = await startChatUpstream();
  outbound = createOutbound({ allow: [], trusted: true });
  models = createLanguageModels({
    anthropic: { baseUrl: `${upstream.origin}/a`, apiKey: 'sk-anthropic' },
    gemini: { baseUrl: `${upstream.origin}/g/v1beta`, apiKey: 'gemini-key' },
    outbound,
  });
});
afterAll(async () => {
  await outbound?.close();
  await upstream?.stop();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

const signal = new AbortController().signal;
const call: CallContext = { signal, idempotencyKey: 'run:node' };
const parameters = { type: 'object', properties: { a: { type: 'number' } } };
const tool = { type: 'function', function: { name: 'add', description: 'Adds.', parameters } };

/** Sends one request of the chat format. Returns the JSON, or the events of the stream. */
async function chat(value: { model: string; [member: string]: unknown }): Promise<{ status: number; body: any }> {
  const request = { text: JSON.stringify(value), value: value as never };
  const route = models.route(value.model)!;
  const { status, body } = await route.provider.chat(route.model, request, signal, 1);
  const text = (Buffer.isBuffer(body) ? body : await buffer(body)).toString('utf8');
  if (!value.stream || status >= 300) return { status, body: JSON.parse(text) };
  const events = text
    .split('\n\n')
    .filter(Boolean)
    .map(event => event.replace(/^data: /, ''));
  return { status, body: events.map(data => (data === '[DONE]' ? data : JSON.parse(data))) };
}

const deltas = (events: any[]) =>
  events.flatMap(event => event.choices?.map((choice: any) => [choice.delta, choice.finish_reason]) ?? [event]);

const conversation = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ],
  },
  {
    role: 'assistant',
    content: 'Let me see.',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: '{"sum":2}' },
  { role: 'user', content: 'And?' },
];

describe('Anthropic', () => {
  const model = 'claude-sonnet-4-5';
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [
      { type: 'text', text: 'Hi.' },
      { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 2 } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 7 },
  };

  it('receives its own format', async () => {
    upstream.respondWith(json(message));
    await chat({
      model: `anthropic/${model}`,
      messages: conversation,
      max_tokens: 50,
      temperature: 1.5,
      stop: 'END',
      tools: [tool],
      tool_choice: 'required',
      parallel_tool_calls: false,
      seed: 1,
      user: 'u',
    });
    const [{ path, headers, body } = {} as never] = upstream.requests;
    expect(path).toBe('/a/v1/messages');
    expect(headers).toMatchObject({ 'x-api-key': 'sk-anthropic', 'anthropic-version': '2023-06-01' });
    expect(headers.authorization).toBeUndefined();
    expect(body).toEqual({
      model,
      max_tokens: 50,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me see.' },
            { type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: '{"sum":2}' },
            { type: 'text', text: 'And?' },
          ],
        },
      ],
      temperature: 1,
      stop_sequences: ['END'],
      metadata: { user_id: 'u' },
      tools: [{ name: 'add', description: 'Adds.', input_schema: parameters }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
  });

  it('answers in the chat format', async () => {
    upstream.respondWith(json(message));
    const { body } = await chat({ model, messages: [{ role: 'user', content: 'Hello' }] });
    expect(body).toEqual({
      id: 'msg_1',
      object: 'chat.completion',
      created: expect.any(Number),
      model,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Hi.',
            tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'add', arguments: '{"a":2}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 15, completion_tokens: 7, total_tokens: 22, prompt_tokens_details: { cached_tokens: 5 } },
    });
  });

  it('streams texts and tool calls in the chat format', async () => {
    const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
    const delta = (index: number, more: object) => ({ type: 'content_block_delta', index, delta: more });
    upstream.respondWith(
      events(
        { type: 'message_start', message: { id: 'msg_2', model, usage: { input_tokens: 10, output_tokens: 1 } } },
        { type: 'ping' },
        block(0, { type: 'text', text: '' }),
        delta(0, { type: 'text_delta', text: 'Hél' }),
        delta(0, { type: 'text_delta', text: 'lo' }),
        block(1, { type: 'tool_use', id: 'toolu_1', name: 'add', input: {} }),
        delta(1, { type: 'input_json_delta', partial_json: '{"a":' }),
        delta(1, { type: 'input_json_delta', partial_json: '2}' }),
        { type: 'content_block_stop', index: 1 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
        { type: 'message_stop' },
      ),
    );
    const request = { model, messages: [{ role: 'user', content: 'Hello' }], stream: true };
    const { body } = await chat({ ...request, stream_options: { include_usage: true } });
    expect(deltas(body)).toEqual([
      [{ role: 'assistant', content: '' }, null],
      [{ content: 'Hél' }, null],
      [{ content: 'lo' }, null],
      [{ tool_calls: [{ index: 0, id: 'toolu_1', type: 'function', function: { name: 'add', arguments: '' } }] }, null],
      [{ tool_calls: [{ index: 0, function: { arguments: '{"a":' } }] }, null],
      [{ tool_calls: [{ index: 0, function: { arguments: '2}' } }] }, null],
      [{}, 'tool_calls'],
      '[DONE]',
    ]);
    expect(body.at(-2)).toMatchObject({ id: 'msg_2', choices: [], usage: { prompt_tokens: 10, completion_tokens: 9 } });
  });

  it('returns an answer with a schema through a tool of its own', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const format = { type: 'json_schema', json_schema: { name: 'n', schema } };
    const answer = { type: 'tool_use', id: 'x', name: 'answer_as_json', input: { name: 'Ada' } };
    upstream.respondWith(json({ ...message, content: [answer] }));
    const { body } = await chat({ model, messages: [{ role: 'user', content: 'Who?' }], response_format: format });
    expect(body.choices[0]).toMatchObject({ message: { content: '{"name":"Ada"}' }, finish_reason: 'stop' });
    expect(upstream.requests[0]?.body).toMatchObject({
      tools: [{ name: 'answer_as_json', input_schema: schema }],
      tool_choice: { type: 'tool', name: 'answer_as_json' },
    });
  });

  it('reports a refusal in the chat format, also within a stream', async () => {
    upstream.respondWith(json({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 529));
    expect(await chat({ model, messages: [{ role: 'user', content: 'Hello' }] })).toEqual({
      status: 529,
      body: { error: { message: 'Overloaded', type: 'server_error', param: null, code: 'overloaded_error' } },
    });
    upstream.respondWith(
      events({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, { type: 'ping' }),
    );
    const { body } = await chat({ model, messages: [{ role: 'user', content: 'Hello' }], stream: true });
    expect(body).toEqual([{ error: expect.objectContaining({ message: 'Overloaded' }) }]);
  });

  it.each([
    ['n', { n: 2 }],
    ['messages[0].content[0]', { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] }],
    ['messages[0]', { messages: [{ role: 'narrator', content: 'x' }] }],
    ['response_format', { response_format: { type: 'grammar' } }],
  ])('cannot express %s', async (param, more) => {
    const request = { model, messages: [{ role: 'user', content: 'Hello' }], ...more };
    await expect(chat(request)).rejects.toMatchObject({ name: 'UnsupportedChatError', param });
  });
});

describe('Gemini', () => {
  const model = 'gemini-2.5-flash';
  const candidate = (parts: object[], finishReason?: string) => ({
    content: { role: 'model', parts },
    finishReason,
    index: 0,
  });
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, thoughtsTokenCount: 2, totalTokenCount: 17 };
  const answer = {
    responseId: 'r1',
    modelVersion: model,
    candidates: [
      candidate(
        [
          { text: 'mm', thought: true },
          { text: 'Hi.' },
          { functionCall: { name: 'add', args: { a: 2 } }, thoughtSignature: 's1' },
        ],
        'STOP',
      ),
    ],
    usageMetadata,
  };

  it('receives its own format', async () => {
    upstream.respondWith(json(answer));
    await chat({
      model,
      messages: conversation,
      max_completion_tokens: 50,
      temperature: 1.5,
      stop: ['END'],
      tools: [tool],
      tool_choice: { type: 'function', function: { name: 'add' } },
      response_format: { type: 'json_object' },
    });
    const [{ path, headers, body } = {} as never] = upstream.requests;
    expect([path, headers['x-goog-api-key']]).toEqual([`/g/v1beta/models/${model}:generateContent`, 'gemini-key']);
    expect(body).toEqual({
      contents: [
        { role: 'user', parts: [{ text: 'What is it?' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
        { role: 'model', parts: [{ text: 'Let me see.' }, { functionCall: { name: 'add', args: { a: 1 } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'add', response: { sum: 2 } } }, { text: 'And?' }] },
      ],
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      tools: [{ functionDeclarations: [{ name: 'add', description: 'Adds.', parametersJsonSchema: parameters }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['add'] } },
      generationConfig: {
        temperature: 1.5,
        maxOutputTokens: 50,
        stopSequences: ['END'],
        responseMimeType: 'application/json',
      },
    });
  });

  it('answers in the chat format, with the members that it needs again', async () => {
    upstream.respondWith(json(answer));
    const { body } = await chat({ model, messages: [{ role: 'user', content: 'Hello' }] });
    const [choice] = body.choices;
    expect(choice).toMatchObject({ message: { content: 'Hi.' }, finish_reason: 'tool_calls' });
    expect(body.usage).toEqual({ prompt_tokens: 10, completion_tokens: 7, total_tokens: 17 });
    const { tool_calls: calls } = choice.message;
    expect(calls[0].function).toEqual({ name: 'add', arguments: '{"a":2}' });
    await chat({ model, messages: [{ role: 'user', content: 'Hello' }, choice.message] });
    expect(upstream.requests[1]?.body.contents[1].parts[1]).toEqual({
      functionCall: { name: 'add', args: { a: 2 } },
      thoughtSignature: 's1',
    });
  });

  it('streams texts and tool calls in the chat format', async () => {
    upstream.respondWith(
      events(
        { candidates: [candidate([{ text: 'He' }])], responseId: 'r2' },
        { candidates: [candidate([{ text: 'llo' }])], usageMetadata: { promptTokenCount: 10 } },
        { candidates: [candidate([{ functionCall: { id: 'f1', name: 'add', args: {} } }], 'STOP')], usageMetadata },
      ),
    );
    const request = { model, messages: [{ role: 'user', content: 'Hello' }], stream: true };
    const { body } = await chat({ ...request, stream_options: { include_usage: true } });
    expect(upstream.requests[0]?.path).toBe(`/g/v1beta/models/${model}:streamGenerateContent?alt=sse`);
    expect(deltas(body)).toEqual([
      [{ role: 'assistant', content: 'He' }, null],
      [{ content: 'llo' }, null],
      [{ tool_calls: [{ index: 0, id: 'f1', type: 'function', function: { name: 'add', arguments: '{}' } }] }, null],
      [{}, 'tool_calls'],
      '[DONE]',
    ]);
    expect(body.at(-2)).toMatchObject({ id: 'r2', usage: { prompt_tokens: 10, completion_tokens: 7 } });
  });

  it('reports a refusal and a filtered prompt in the chat format', async () => {
    upstream.respondWith(
      json({ error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } }, 400),
    );
    const request = { model, messages: [{ role: 'user', content: 'Hello' }] };
    expect((await chat(request)).body).toEqual({
      error: { message: 'API key not valid.', type: 'invalid_request_error', param: null, code: 'INVALID_ARGUMENT' },
    });
    upstream.respondWith(json({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 3 } }));
    expect((await chat(request)).body.choices[0]).toMatchObject({
      message: { content: '' },
      finish_reason: 'content_filter',
    });
  });
});

describe('nodes and messages', () => {
  const requestOf = (model: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
    messages: [{ role: 'user', content: 'Hello?' }],
    settings: { model_name: model },
    tools: [{ name: 'add', description: 'Adds.', parameters }],
    ...more,
  });

  it('are answered by Anthropic', async () => {
    const content = [
      { type: 'text', text: 'Hi.' },
      { type: 'tool_use', id: 't', name: 'add', input: { a: 1 } },
    ];
    upstream.respondWith(
      json({ content, stop_reason: 'tool_use', usage: { input_tokens: 1_000_000, output_tokens: 0 } }),
    );
    expect(await models.complete(requestOf('claude-sonnet-4-5'), call)).toEqual({
      text: 'Hi.',
      toolCalls: [{ id: 't', name: 'add', arguments: '{"a":1}' }],
      usage: {
        provider: 'anthropic',
        model: 'claude-sonnet-4-5',
        promptTokens: 1_000_000,
        completionTokens: 0,
        costUsd: expect.stringMatching(/^\d/),
        finishReason: 'tool_calls',
      },
    });
  });

  it('are answered by Gemini', async () => {
    const parts = [{ text: 'Hi.' }];
    const usageMetadata = { promptTokenCount: 1_000_000, candidatesTokenCount: 0 };
    upstream.respondWith(json({ candidates: [{ content: { parts } }], usageMetadata }));
    const { text, usage } = await models.complete(requestOf('gemini/gemini-2.5-flash'), call);
    expect([text, usage.provider, usage.model, usage.costUsd]).toEqual(['Hi.', 'gemini', 'gemini-2.5-flash', '0.3']);
    // 0.30 USD per million tokens, 0.03 for cached ones. More cached tokens than the prompt has count as all of it.
    for (const [cachedContentTokenCount, costUsd] of [
      [500_000, '0.165'],
      [2_000_000, '0.03'],
    ] as const) {
      upstream.respondWith(
        json({ candidates: [{ content: { parts } }], usageMetadata: { ...usageMetadata, cachedContentTokenCount } }),
      );
      expect((await models.complete(requestOf('gemini/gemini-2.5-flash'), call)).usage.costUsd).toBe(costUsd);
    }
  });

  it.each(['claude-sonnet-4-5', 'gemini-2.5-flash'])(
    'fail with an error when the response %s is invalid',
    async model => {
      upstream.respondWith(json({ surprise: true }));
      await expect(models.complete(requestOf(model), call)).rejects.toMatchObject({ code: 'bad_upstream_answer' });
    },
  );
});
