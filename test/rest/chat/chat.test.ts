import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  type OpenAI,
  RateLimitError,
} from 'openai';
import { startTestService, type TestService } from '../../support/service.js';
import { createLogin } from '../../support/sessions.js';
import {
  type ChatUpstream,
  chunk,
  completion,
  eventOf,
  events,
  json,
  startChatUpstream,
} from '../../support/upstreams/chat-upstream.js';
import { clientOf, failureOf, postChat } from './chat-client.js';

let service: TestService;
let upstream: ChatUpstream;
let openai: OpenAI;

const messages = [{ role: 'user' as const, content: 'Hello?' }];

beforeAll(async () => {
  upstream = await startChatUpstream();
  service = await startTestService({
    role: 'api',
    openai: { baseUrl: `${upstream.origin}/v1`, apiKey: 'sk-service-0123456789' },
  });
  openai = clientOf(service);
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});
beforeEach(() => {
  upstream.requests.length = 0;
  upstream.respondWith(json(completion()));
});

const post = (body: string | object, headers: Record<string, string> = {}) => postChat(service, body, headers);

describe('a completion', () => {
  it('is the provider’s answer, byte for byte', async () => {
    const body = '{ "id":"x",  "choices":[], "big":12345678901234567890, "usage":null }\n';
    upstream.respondWith(response => response.writeHead(200, { 'content-type': 'application/json; x=y' }).end(body));
    const answer = await post({ model: 'gpt-4o-mini', messages });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'application/json; x=y',
      body,
    ]);
  });

  it.each([
    ['short', 'Größe \u0000 \ud83d\ude00 '],
    ['long', 'Größe \u0000 \ud83d\ude00 '.repeat(5_000)],
  ])('is the same bytes where it is %s and no plain text', async (_, content) => {
    const body = Buffer.concat([Buffer.from(JSON.stringify(completion({ content }))), Buffer.from([0x80, 0xff])]);
    upstream.respondWith(response => response.writeHead(200, { 'content-type': 'application/json' }).end(body));
    const answer = await post({ model: 'gpt-4o-mini', messages });
    expect(answer.headers.get('content-length')).toBe(String(body.length));
    expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
  });

  it.each([
    ['UTF-8', '', 'utf8'],
    ['UTF-8 with a mark', '\ufeff', 'utf8'],
    ['UTF-16', '', 'utf16le'],
    ['Latin 1', '', 'latin1'],
  ] as const)('is requested in UTF-8 when the client uses %s', async (_, mark, encoding) => {
    const text = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Größe' }] });
    const charset = { utf8: 'utf-8', utf16le: 'utf-16le', latin1: 'latin1' }[encoding];
    const answer = await fetch(`${service.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': `application/json; charset=${charset}` },
      body: Buffer.from(mark + text, encoding),
    });
    expect([answer.status, upstream.requests[0]?.text]).toEqual([200, text]);
  });

  it('is requested with the client’s own body, except for the provider’s name', async () => {
    const send = (model: string) =>
      `{"seed": 12345678901234567890, "x":{"model":"no"},  "model" : "${model}","messages":[{"role":"user","content":"a\\u00e9"}], "temperature":1.0}`;
    await post(send('openai/my/model'));
    await post(send('unknown/model'));
    expect(upstream.requests.map(({ text }) => text)).toEqual([send('my/model'), send('unknown/model')]);
    expect(upstream.requests[0]).toMatchObject({ headers: { authorization: 'Bearer sk-service-0123456789' } });
  });

  it('works with the official client', async () => {
    const answer = await openai.chat.completions.create({ model: 'gpt-4o-mini', messages, temperature: 0.5 });
    expect(answer.choices[0]?.message.content).toBe('Hi.');
    expect(upstream.requests[0]?.body).toEqual({ model: 'gpt-4o-mini', messages, temperature: 0.5 });
  });

  it('calls tools', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } };
    upstream.respondWith(json(completion({ content: null, tool_calls: [call] })));
    const tools = [{ type: 'function' as const, function: { name: 'add', parameters: { type: 'object' } } }];
    const answer = await openai.chat.completions.create({ model: 'gpt-4o-mini', messages, tools });
    expect(answer.choices[0]?.message.tool_calls).toEqual([call]);
    expect(upstream.requests[0]?.body.tools).toEqual(tools);
  });

  it('is answered by the built-in model without any provider', async () => {
    const answer = await openai.chat.completions.create({ model: 'echo', messages });
    expect(answer).toMatchObject({ object: 'chat.completion', model: 'echo', usage: { total_tokens: 4 } });
    expect(answer.choices[0]).toEqual({
      index: 0,
      message: { role: 'assistant', content: 'Hello?' },
      finish_reason: 'stop',
    });
    expect(upstream.requests).toEqual([]);
  });

  it('is a JSON value in GraphQL', async () => {
    const mutation = 'mutation ($request: ChatRequest!) { chatCompletionCreate(request: $request) { chatCompletion } }';
    const answer = await service.graphql(mutation, { request: { model: 'gpt-4o-mini', messages } });
    expect(answer.data.chatCompletionCreate.chatCompletion).toEqual(completion());
    upstream.respondWith(json({ error: { message: 'no', param: 'messages' } }, 400));
    const refused = await service.graphql(mutation, { request: { model: 'gpt-4o-mini', messages } });
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: { messages: ['no'] } });
    const streamed = await service.graphql(mutation, { request: { model: 'echo', messages, stream: true } });
    expect(streamed.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});

describe('a stream', () => {
  const streamed = { model: 'gpt-4o-mini', messages, stream: true as const };

  it('is sent as it is produced', async () => {
    const firstChunk = Promise.withResolvers<void>();
    upstream.respondWith(async response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(eventOf(chunk({ content: 'first' })));
      await firstChunk.promise;
      response.end(eventOf(chunk({ content: ' second' })) + eventOf('[DONE]'));
    });
    const contents: unknown[] = [];
    for await (const event of await openai.chat.completions.create(streamed)) {
      contents.push(event.choices[0]?.delta.content);
      firstChunk.resolve();
    }
    expect(contents).toEqual(['first', ' second']);
  });

  it('is passed on byte for byte', async () => {
    const body = `: a comment\n\ndata: {"a":1}\r\n\r\nevent: x\ndata: ünicode\n\ndata: [DONE]\n\n`;
    upstream.respondWith(response => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body));
    const answer = await post(streamed, { Accept: 'text/event-stream' });
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['text/event-stream', body]);
  });

  it('calls tools and reports the usage', async () => {
    const part = (call: object) => chunk({ tool_calls: [{ index: 0, ...call }] });
    upstream.respondWith(
      events(
        chunk({ role: 'assistant', content: null }),
        part({ id: 'call_1', type: 'function', function: { name: 'add', arguments: '' } }),
        part({ function: { arguments: '{"a":' } }),
        part({ function: { arguments: '1}' } }),
        chunk({}, 'tool_calls'),
        chunk({}, null, { choices: [], usage: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 } }),
        '[DONE]',
      ),
    );
    const runner = openai.chat.completions.stream({ ...streamed, stream_options: { include_usage: true } });
    const final = await runner.finalChatCompletion();
    expect(final.choices[0]?.message.tool_calls?.[0]).toMatchObject({
      function: { name: 'add', arguments: '{"a":1}' },
    });
    expect(final.usage?.total_tokens).toBe(11);
  });

  it('of the built-in model is a stream as well', async () => {
    const parts: string[] = [];
    const requests = {
      model: 'echo',
      messages: [{ role: 'user' as const, content: ' Hello  there, you ' }],
      stream: true as const,
    };
    for await (const event of await openai.chat.completions.create({
      ...requests,
      stream_options: { include_usage: true },
    })) {
      parts.push(event.choices[0]?.delta.content ?? `usage ${event.usage?.total_tokens ?? 'none'}`);
    }
    expect(parts).toEqual(['', ' Hello', '  there,', ' you ', 'usage none', 'usage 10']);
  });

  it('that is refused is passed on as refused', async () => {
    upstream.respondWith(
      json({ error: { message: 'busy', type: 't', param: null, code: 'c' } }, 429, { 'retry-after': '7' }),
    );
    const error = await failureOf(openai.chat.completions.create(streamed));
    expect(error).toBeInstanceOf(RateLimitError);
    expect([error.code, error.headers.get('retry-after')]).toEqual(['c', '7']);
  });

  it('ends the provider’s work when its client disconnects', async () => {
    const gone = Promise.withResolvers<void>();
    upstream.respondWith(response => {
      response.once('close', gone.resolve);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(eventOf(chunk({ content: 'a' })));
    });
    const stream = await openai.chat.completions.create(streamed);
    for await (const _ of stream) break;
    await gone.promise;
  });

  it('that its provider breaks off ends with an error', async () => {
    const firstChunk = Promise.withResolvers<void>();
    upstream.respondWith(async response => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': '10000' });
      response.write(eventOf(chunk({ content: 'a' })));
      await firstChunk.promise;
      response.destroy();
    });
    const contents: unknown[] = [];
    const reading = (async () => {
      for await (const event of await openai.chat.completions.create(streamed)) {
        contents.push(event.choices[0]?.delta.content);
        firstChunk.resolve();
      }
    })();
    const error = await failureOf(reading);
    expect(contents).toEqual(['a']);
    expect([error.constructor.name, error.code]).toEqual(['APIError', 'upstream_broke_off']);
  });

  it('is read no faster than its client reads', async () => {
    const stalled = Promise.withResolvers<void>();
    const event = eventOf(chunk({ content: 'x'.repeat(65_536) }));
    let written = 0;
    upstream.respondWith(async response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const closed = once(response, 'close');
      while (written < 200_000_000) {
        written += event.length;
        if (response.write(event)) continue;
        const resting = new Promise(resolve => setTimeout(resolve, 300, 'stalled'));
        if ((await Promise.race([once(response, 'drain'), closed, resting])) !== 'stalled') continue;
        stalled.resolve();
        return closed;
      }
    });
    const answer = await post(streamed);
    await stalled.promise;
    expect(written).toBeLessThan(50_000_000);
    await answer.body?.cancel();
  });
});

describe('errors of the official client', () => {
  const ask = (client: OpenAI, model = 'gpt-4o-mini') => failureOf(client.chat.completions.create({ model, messages }));

  it('of a wrong key, of a session and of a key in the wrong header', async () => {
    const wrong = await ask(clientOf({ url: service.url, key: 'sk-wrong' }));
    expect(wrong).toBeInstanceOf(AuthenticationError);
    expect([wrong.status, wrong.code, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_api_key',
      'Bearer',
    ]);
    const { access } = await createLogin(service, 'someone');
    expect(await ask(clientOf({ url: service.url, key: access }))).toBeInstanceOf(AuthenticationError);
    expect((await post({}, { Authorization: '', 'X-Api-Key': service.key })).status).toBe(401);
  });

  it('of a request that lacks a member', async () => {
    const error = await failureOf(openai.post('/chat/completions', { body: { messages } }));
    expect(error).toBeInstanceOf(BadRequestError);
    expect([error.type, error.param, error.code]).toEqual(['invalid_request_error', 'model', 'invalid_value']);
    const bad = {
      'no list': { messages: 'x' },
      empty: { messages: [] },
      'no roles': { messages: [1] },
      'odd stream': { stream: 1 },
    };
    for (const [name, more] of Object.entries(bad))
      expect([name, (await post({ model: 'echo', messages, ...more })).status]).toEqual([name, 400]);
    for (const body of ['{', '[]', '"x"', '{"model":"a\\u0000","messages":[{"role":"user"}]}'])
      expect([body, (await post(body)).status]).toEqual([body, 400]);
  });

  it('of an unknown model', async () => {
    const { url, key, stop } = await startTestService({
      role: 'api',
      openai: { baseUrl: undefined, apiKey: undefined },
    });
    const error = await ask(clientOf({ url, key }), 'missing/model');
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error.error).toEqual({
      message:
        'No configured provider serves the model "missing/model". Available: echo. GET /v1/models lists all models.',
      type: 'invalid_request_error',
      param: 'model',
      code: 'model_not_found',
    });
    await stop();
  });

  it.each([
    [400, BadRequestError],
    [401, AuthenticationError],
    [404, NotFoundError],
    [429, RateLimitError],
    [500, InternalServerError],
    [503, InternalServerError],
  ])('by the provider with %i', async (status, kind) => {
    upstream.respondWith(json({ error: { message: 'said', type: 'kind', param: 'p', code: 'word' } }, status));
    const error = await ask(openai);
    expect(error).toBeInstanceOf(kind);
    expect([error.status, error.type, error.param, error.code]).toEqual([status, 'kind', 'p', 'word']);
  });

  it('of an unknown path, a method that the path does not have, and an unsupported type', async () => {
    expect(await failureOf(openai.get('/nothing'))).toBeInstanceOf(NotFoundError);
    const method = await failureOf(openai.get('/chat/completions'));
    expect([method.status, method.headers.get('allow'), method.code]).toEqual([
      405,
      'POST, OPTIONS',
      'method_not_allowed',
    ]);
    const type = await post('x', { 'Content-Type': 'text/plain' });
    expect([type.status, await type.json()]).toMatchObject([415, { error: { code: 'unsupported_media_type' } }]);
    expect((await post({}, { Accept: 'text/html' })).status).toBe(406);
  });

  it('beyond its rate limit', async () => {
    const { key } = await service.createUser('hurried');
    await service.sql(
      `update api_key set rate_limit = 1 where user_id = (select id from app_user where name = 'hurried')`,
    );
    const client = clientOf({ url: service.url, key });
    expect(await ask(client, 'echo')).toBeUndefined();
    const error = await ask(client, 'echo');
    expect(error).toBeInstanceOf(RateLimitError);
    expect([error.code, Number(error.headers.get('retry-after')) > 0]).toEqual(['rate_limit_exceeded', true]);
  });

  it('when the provider cannot be reached', async () => {
    upstream.respondWith(response => response.destroy());
    const error = await ask(openai);
    expect([error.status, error.type, error.code]).toEqual([500, 'server_error', 'upstream_unreachable']);
  });
});

it('an abort of the client ends the provider’s work', async () => {
  const [came, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  upstream.respondWith(response => {
    response.once('close', gone.resolve);
    came.resolve();
  });
  const controller = new AbortController();
  const call = failureOf(
    openai.chat.completions.create({ model: 'gpt-4o-mini', messages }, { signal: controller.signal }),
  );
  await came.promise;
  controller.abort();
  expect((await call).constructor.name).toBe('APIUserAbortError');
  await gone.promise;
});

it('lists the available models', async () => {
  upstream.respondWith(json({ object: 'list', data: [{ id: 'gpt-4o' }, { id: 'echo' }, { id: 'anthropic/x' }] }));
  const listed: unknown[] = [];
  for await (const model of openai.models.list()) listed.push([model.id, model.owned_by]);
  expect(listed).toEqual([
    ['echo', 'echo'],
    ['gpt-4o', 'openai'],
    ['openai/echo', 'openai'],
    ['anthropic/x', 'openai'],
  ]);
});

it('masks the service’s key in an answer of the provider', async () => {
  upstream.respondWith((response, { headers, body }) => {
    const echo = JSON.stringify({ echo: headers.authorization });
    response.writeHead(200, { 'content-type': body.stream ? 'text/event-stream' : 'application/json' });
    response.write(`data: ${echo.slice(0, 20)}`, () => setTimeout(() => response.end(`${echo.slice(20)}\n\n`), 20));
  });
  for (const stream of [true, false]) {
    const text = await (await post({ model: 'm', messages, stream })).text();
    expect(text).toBe('data: {"echo":"Bearer ********"}\n\n');
  }
});
