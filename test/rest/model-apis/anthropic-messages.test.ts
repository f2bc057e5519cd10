import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestService } from '../../support/service.js';
import {
  type ChatUpstream,
  chunk,
  completion,
  eventOf,
  events,
  json,
  USAGE,
} from '../../support/upstreams/chat-upstream.js';
import { byPath, message, messageEvents, namedEvents } from '../../support/upstreams/model-responses.js';
import { anthropicOf, collect, failureOf, type ModelService, startModelService } from './model-clients.js';

let started: ModelService;
let service: TestService;
let upstream: ChatUpstream;
let anthropic: Anthropic;

const messages = [{ role: 'user' as const, content: 'Hello?' }];
const claude = { model: 'claude-haiku-4-5', max_tokens: 100, messages };

beforeAll(async () => {
  started = await startModelService();
  ({ service, upstream } = started);
  anthropic = anthropicOf(service);
});
afterAll(() => started?.stop());
beforeEach(() => {
  upstream.requests.length = 0;
});

describe('a message of Anthropic', () => {
  it('is passed on unchanged, with its beta features', async () => {
    upstream.respondWith(byPath({ '/anthropic/v1/messages': json(message()) }));
    const thinking = { type: 'enabled' as const, budget_tokens: 1_024 };
    const sent = { ...claude, model: 'anthropic/claude-haiku-4-5', thinking, max_tokens: 2_000 };
    const answer = await anthropic.messages.create(sent, { headers: { 'anthropic-beta': 'some-feature-1' } });
    expect(answer).toMatchObject(message());
    const [asked] = upstream.requests;
    expect(asked?.body).toEqual({ ...sent, model: 'claude-haiku-4-5' });
    expect(asked?.headers).toMatchObject({
      'x-api-key': 'sk-ant-service-0123456789',
      'anthropic-beta': 'some-feature-1',
      'anthropic-version': '2023-06-01',
    });
  });

  it('streams unchanged', async () => {
    upstream.respondWith(namedEvents(...messageEvents('a', 'b')));
    expect(await collect(await anthropic.messages.create({ ...claude, stream: true }))).toEqual(
      messageEvents('a', 'b'),
    );
    const final = await anthropic.messages.stream(claude).finalMessage();
    expect([final.content, final.usage.output_tokens]).toMatchObject([[{ text: 'ab' }], 500]);
  });

  it('is refused with the errors and limits of the provider', async () => {
    const body = { type: 'error', error: { type: 'rate_limit_error', message: 'busy' } };
    upstream.respondWith(json(body, 429, { 'retry-after': '7', 'anthropic-ratelimit-requests-limit': '50' }));
    const error = await failureOf(anthropic.messages.create(claude));
    expect(error).toBeInstanceOf(Anthropic.RateLimitError);
    expect([error.error, error.headers.get('anthropic-ratelimit-requests-limit')]).toEqual([body, '50']);
  });
});

describe('a message of another provider', () => {
  it('is translated', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } };
    const upstreamAnswer = completion({ content: 'Well.', tool_calls: [call] });
    upstreamAnswer.choices[0]!.finish_reason = 'tool_calls';
    upstream.respondWith(byPath({ '/v1/chat/completions': json(upstreamAnswer) }));
    const answer = await anthropic.messages.create({
      model: 'gpt-4o-mini',
      max_tokens: 100,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look.' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'add', input: { a: 2 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '4' }] },
      ],
      tools: [{ name: 'add', input_schema: { type: 'object' } }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      stop_sequences: ['END'],
    });
    expect(answer).toMatchObject({
      type: 'message',
      content: [
        { type: 'text', text: 'Well.' },
        { type: 'tool_use', id: 'call_1', name: 'add', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 1_000, output_tokens: 500 },
    });
    expect(upstream.requests[0]?.body).toEqual({
      model: 'gpt-4o-mini',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look.' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 't1', type: 'function', function: { name: 'add', arguments: '{"a":2}' } }],
        },
        { role: 'tool', tool_call_id: 't1', content: '4' },
      ],
      max_completion_tokens: 100,
      stop: ['END'],
      tools: [{ type: 'function', function: { name: 'add', parameters: { type: 'object' } } }],
      tool_choice: 'required',
      parallel_tool_calls: false,
    });
  });

  it('streams with the events of the API', async () => {
    const part = (call: object) => chunk({ tool_calls: [{ index: 0, ...call }] });
    upstream.respondWith(
      events(
        chunk({ role: 'assistant', content: 'Well' }),
        part({ id: 'call_1', type: 'function', function: { name: 'add', arguments: '' } }),
        part({ function: { arguments: '{"a":1}' } }),
        chunk({}, 'tool_calls'),
        chunk({}, null, { choices: [], usage: USAGE }),
        '[DONE]',
      ),
    );
    const stream = anthropic.messages.stream({ ...claude, model: 'gpt-4o-mini' });
    const types: string[] = [];
    stream.on('streamEvent', ({ type }) => types.push(type));
    const final = await stream.finalMessage();
    expect(types).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(final.content).toMatchObject([{ text: 'Well' }, { id: 'call_1', input: { a: 1 } }]);
    expect([final.stop_reason, final.usage]).toMatchObject(['tool_use', { input_tokens: 1_000, output_tokens: 500 }]);
  });

  it('is echoed without any provider', async () => {
    const answer = await anthropic.messages.create({ ...claude, model: 'echo' });
    expect([answer.content, upstream.requests]).toMatchObject([[{ type: 'text', text: 'Hello?' }], []]);
  });

  it('fails in the format of the API', async () => {
    upstream.respondWith(json({ error: { message: 'said', type: 't', param: 'p', code: 'c' } }, 400));
    const error = await failureOf(anthropic.messages.create({ ...claude, model: 'gpt-4o-mini' }));
    expect(error.error).toEqual({ type: 'error', error: { type: 'invalid_request_error', message: 'said' } });
    upstream.respondWith(response => response.destroy());
    const gone = await failureOf(anthropic.messages.create({ ...claude, model: 'gpt-4o-mini' }));
    expect([gone.status, gone.error.error.type]).toEqual([500, 'api_error']);
    for (const more of [{ thinking: { type: 'enabled' as const, budget_tokens: 1_024 } }, { mcp_servers: [{}] }]) {
      const refused = await failureOf(anthropic.messages.create({ ...claude, model: 'echo', ...more }));
      expect([refused.status, refused.error.error.message]).toEqual([
        400,
        expect.stringContaining(Object.keys(more)[0]!),
      ]);
    }
  });

  it('that breaks off ends with an error', async () => {
    const delivered = Promise.withResolvers<void>();
    upstream.respondWith(async response => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': '10000' });
      response.write(eventOf(chunk({ content: 'a' })));
      await delivered.promise;
      response.destroy();
    });
    const stream = anthropic.messages.stream({ ...claude, model: 'gpt-4o-mini' }).on('text', () => delivered.resolve());
    const error = await failureOf(stream.finalMessage());
    expect([error.constructor.name, error.error]).toMatchObject(['APIError', { error: { type: 'api_error' } }]);
  });
});

describe('errors of the official client', () => {
  it('of a wrong key, and a key as bearer token', async () => {
    const wrong = await failureOf(anthropicOf({ url: service.url, key: 'x' }).messages.create(claude));
    expect(wrong).toBeInstanceOf(Anthropic.AuthenticationError);
    expect(wrong.error).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
    const bearer = new Anthropic({ baseURL: service.url, authToken: service.key, apiKey: null, maxRetries: 0 });
    expect((await bearer.messages.create({ ...claude, model: 'echo' })).type).toBe('message');
  });

  it('of a request that lacks a member', async () => {
    for (const lacking of ['model', 'max_tokens', 'messages']) {
      const error = await failureOf(anthropic.messages.create({ ...claude, [lacking]: undefined }));
      expect(error).toBeInstanceOf(Anthropic.BadRequestError);
      expect(error.error.error).toEqual({ type: 'invalid_request_error', message: expect.stringContaining(lacking) });
    }
  });

  it('beyond its rate limit', async () => {
    const { key } = await service.createUser('hasty');
    await service.sql(
      `update api_key set rate_limit = 1 where user_id = (select id from app_user where name = 'hasty')`,
    );
    const client = anthropicOf({ url: service.url, key });
    await client.messages.create({ ...claude, model: 'echo' });
    const error = await failureOf(client.messages.create({ ...claude, model: 'echo' }));
    expect(error).toBeInstanceOf(Anthropic.RateLimitError);
    expect([error.error.error.type, Number(error.headers.get('retry-after')) > 0]).toEqual(['rate_limit_error', true]);
  });
});
