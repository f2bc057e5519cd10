import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OpenAI } from 'openai';
import type { TestService } from '../../support/service.js';
import { type ChatUpstream, chunk, completion, events, json, USAGE } from '../../support/upstreams/chat-upstream.js';
import {
  byPath,
  message,
  namedEvent,
  namedEvents,
  response,
  responseEvents,
  vectors,
} from '../../support/upstreams/model-responses.js';
import { collect, failureOf, type ModelService, openaiOf, startModelService } from './model-clients.js';

let started: ModelService;
let service: TestService;
let upstream: ChatUpstream;
let openai: OpenAI;

beforeAll(async () => {
  started = await startModelService();
  ({ service, upstream } = started);
  openai = openaiOf(service);
});
afterAll(() => started?.stop());
beforeEach(() => {
  upstream.requests.length = 0;
});

const paths = () => upstream.requests.map(({ path }) => path);
const chatEvents = () =>
  events(
    chunk({ role: 'assistant', content: 'Hel' }),
    chunk({ content: 'lo' }),
    chunk({}, 'stop'),
    chunk({}, null, { choices: [], usage: USAGE }),
    '[DONE]',
  );

describe('embeddings', () => {
  it('of an OpenAI-compatible provider are passed on unchanged', async () => {
    upstream.respondWith(byPath({ '/v1/embeddings': json(vectors()) }));
    const sent = { model: 'openai/text-embedding-3-small', input: ['a', 'b'], dimensions: 2 };
    const { data, usage } = await openai.embeddings.create(sent);
    expect(data.map(({ embedding }) => [...embedding])).toEqual([
      [0, 0.5],
      [1, 0.5],
    ]);
    expect(usage.total_tokens).toBe(1_000);
    expect(upstream.requests[0]?.body).toEqual({ ...sent, model: 'text-embedding-3-small', encoding_format: 'base64' });
  });

  it('of Gemini are translated', async () => {
    const path = '/g/v1beta/models/gemini-embedding-001:batchEmbedContents';
    upstream.respondWith(byPath({ [path]: json({ embeddings: [{ values: [0.25, 1] }] }) }));
    const { data } = await openai.embeddings.create({ model: 'gemini-embedding-001', input: 'a', dimensions: 2 });
    expect([...data[0]!.embedding]).toEqual([0.25, 1]);
    expect(upstream.requests[0]?.body.requests).toEqual([
      { model: 'models/gemini-embedding-001', content: { parts: [{ text: 'a' }] }, outputDimensionality: 2 },
    ]);
  });

  it('of Anthropic do not exist', async () => {
    const error = await failureOf(openai.embeddings.create({ model: 'claude-haiku-4-5', input: 'a' }));
    expect([error.status, error.param, error.code]).toEqual([400, 'model', 'unsupported_value']);
    expect(upstream.requests).toEqual([]);
  });

  it('of echo are the same unit vectors each time', async () => {
    const embed = async (input: string, more: object = {}) =>
      (await openai.embeddings.create({ model: 'echo', input, ...more })).data[0]!.embedding;
    const [cats, again, dogs] = [await embed('black cats'), await embed('black cats'), await embed('black dogs')];
    const dot = (other: number[]) => cats.reduce((sum, value, index) => sum + value * other[index]!, 0);
    expect([cats.length, dot(again), dot(dogs)]).toEqual([256, expect.closeTo(1, 5), expect.closeTo(0.5, 5)]);
    expect(await embed('x', { dimensions: 8, encoding_format: 'float' })).toHaveLength(8);
  });

  it('are a JSON value in GraphQL', async () => {
    const mutation = 'mutation ($request: EmbeddingsRequest!) { embeddingsCreate(request: $request) { embeddings } }';
    const { data } = await service.graphql(mutation, { request: { model: 'echo', input: ['a', 'b'] } });
    expect(data.embeddingsCreate.embeddings.data).toHaveLength(2);
    const refused = await service.graphql(mutation, { request: { model: 'echo', input: [] } });
    expect(refused.errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      fields: { input: [expect.stringContaining('empty')] },
    });
  });
});

describe('responses', () => {
  it('of a provider with this API are passed on unchanged', async () => {
    upstream.respondWith(byPath({ '/v1/responses': json(response()) }));
    const sent = { model: 'gpt-4o-mini', input: 'Hello?', tools: [{ type: 'web_search' as const }] };
    const answer = await openai.responses.create(sent);
    expect([answer.id, answer.output_text]).toEqual(['resp_1', 'Hi.']);
    expect(upstream.requests[0]?.body).toEqual(sent);
  });

  it('stream unchanged', async () => {
    upstream.respondWith(namedEvents(...responseEvents('a', 'b')));
    const streamed = await openai.responses.create({ model: 'gpt-4o-mini', input: 'x', stream: true });
    expect(await collect(streamed)).toEqual(responseEvents('a', 'b'));
  });

  it('of a provider without it become chat completions, after one attempt', async () => {
    // A separate address, because the service remembers which upstreams lack the API.
    const other = await startModelService();
    other.upstream.respondWith(byPath({ '/v1/chat/completions': json(completion()) }));
    const client = openaiOf(other.service);
    const answer = await client.responses.create({
      model: 'llama-3',
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Add.' }] },
        { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: '3' },
      ],
      tools: [{ type: 'function', name: 'add', parameters: { type: 'object' }, strict: true }],
      text: { format: { type: 'json_schema', name: 'x', schema: { type: 'object' } } },
      reasoning: { effort: 'low' },
      max_output_tokens: 50,
    });
    expect(answer).toMatchObject({ object: 'response', status: 'completed', output_text: 'Hi.' });
    expect(answer.usage).toMatchObject({ input_tokens: 1_000, output_tokens: 500, total_tokens: 1_500 });
    expect(other.upstream.requests.at(-1)?.body).toEqual({
      model: 'llama-3',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Add.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '3' },
      ],
      tools: [{ type: 'function', function: { name: 'add', parameters: { type: 'object' }, strict: true } }],
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
      reasoning_effort: 'low',
      max_tokens: 50,
    });
    await client.responses.create({ model: 'llama-3', input: 'again' });
    expect(other.upstream.requests.map(({ path }) => path)).toEqual([
      '/v1/responses',
      '/v1/chat/completions',
      '/v1/chat/completions',
    ]);
    other.upstream.respondWith(chatEvents());
    const final = await client.responses.stream({ model: 'llama-3', input: 'x' }).finalResponse();
    expect([final.output_text, final.usage?.output_tokens]).toEqual(['Hello', 500]);
    expect(other.upstream.requests.at(-1)?.body.stream_options).toEqual({ include_usage: true });
    await other.stop();
  });

  it('of a missing model are not taken for a missing API', async () => {
    upstream.respondWith(json({ error: { message: 'no such model', param: null, code: 'model_not_found' } }, 404));
    const error = await failureOf(openai.responses.create({ model: 'gpt-0', input: 'x' }));
    expect([error.status, error.code, paths()]).toEqual([404, 'model_not_found', ['/v1/responses']]);
  });

  it('of Anthropic are translated twice', async () => {
    upstream.respondWith(byPath({ '/anthropic/v1/messages': json(message('Hello from Claude.')) }));
    const answer = await openai.responses.create({ model: 'claude-haiku-4-5', input: 'x', max_output_tokens: 9 });
    expect([answer.output_text, answer.usage?.total_tokens]).toEqual(['Hello from Claude.', 1_500]);
    expect(upstream.requests[0]?.body).toMatchObject({ model: 'claude-haiku-4-5', max_tokens: 9 });
  });

  it('of echo stream with the events of the API', async () => {
    const streamed = await openai.responses.create({ model: 'echo', input: 'One two', stream: true });
    const received = await collect(streamed);
    expect(received.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(received.map(({ sequence_number: number }) => number)).toEqual(received.map((_, index) => index));
    expect(received.at(-1)).toMatchObject({ response: { status: 'completed', usage: { output_tokens: 2 } } });
  });

  it('stream calls of functions', async () => {
    const part = (call: object) => ({ type: 'content_block_delta', index: 1, ...call });
    upstream.respondWith(
      namedEvents(
        { type: 'message_start', message: { ...message(), content: [] } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Well' } },
        {
          type: 'content_block_start',
          index: 1,
          content_block: { type: 'tool_use', id: 't1', name: 'add', input: {} },
        },
        part({ delta: { type: 'input_json_delta', partial_json: '{"a":' } }),
        part({ delta: { type: 'input_json_delta', partial_json: '1}' } }),
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 7 } },
        { type: 'message_stop' },
      ),
    );
    const tools = [{ type: 'function' as const, name: 'add', parameters: {}, strict: false }];
    const final = await openai.responses.stream({ model: 'claude-haiku-4-5', input: 'x', tools }).finalResponse();
    expect(final.output).toMatchObject([
      { type: 'message', content: [{ text: 'Well' }] },
      { type: 'function_call', call_id: 't1', name: 'add', arguments: '{"a":1}' },
    ]);
    expect(final.usage?.output_tokens).toBe(7);
  });

  it('refuse what cannot be expressed, by name', async () => {
    const refused = {
      previous_response_id: 'resp_1',
      tools: [{ type: 'web_search' as const }],
      input: [{ type: 'item_reference' as const, id: 'x' }],
    };
    for (const [member, value] of Object.entries(refused)) {
      const error = await failureOf(openai.responses.create({ model: 'echo', input: 'x', [member]: value }));
      expect([error.status, error.code, error.param]).toEqual([
        400,
        'unsupported_value',
        expect.stringContaining(member),
      ]);
    }
    const background = await failureOf(openai.responses.create({ model: 'gpt-4o', input: 'x', background: true }));
    expect([background.status, background.param]).toEqual([400, 'background']);
  });

  it('that their provider breaks off end with an error', async () => {
    const [first, second] = responseEvents('a', 'b');
    const delivered = Promise.withResolvers<void>();
    upstream.respondWith(async answer => {
      answer.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': '10000' });
      answer.write(namedEvent(first!) + namedEvent(second!));
      await delivered.promise;
      answer.destroy();
    });
    const received: string[] = [];
    const error = await failureOf(
      (async () => {
        for await (const { type } of await openai.responses.create({ model: 'gpt-4o', input: 'x', stream: true })) {
          received.push(type);
          if (type === 'response.output_text.delta') delivered.resolve();
        }
      })(),
    );
    expect([received, error?.constructor.name ?? received.at(-1)]).toEqual([
      expect.arrayContaining(['response.created', 'response.output_text.delta']),
      expect.stringMatching(/^(APIError|error)$/),
    ]);
  });
});

describe('a model', () => {
  it('is found by its name, also with slashes', async () => {
    upstream.respondWith(json({ object: 'list', data: [{ id: 'gpt-4o' }, { id: 'org/my-model' }] }));
    expect(await openai.models.retrieve('echo')).toEqual({ id: 'echo', object: 'model', created: 0, owned_by: 'echo' });
    expect(await openai.models.retrieve('openai/gpt-4o')).toMatchObject({ id: 'openai/gpt-4o', owned_by: 'openai' });
    const headers = { Authorization: `Bearer ${service.key}` };
    const slashed = await fetch(`${service.url}/v1/models/org/my-model`, { headers });
    expect([slashed.status, await slashed.json()]).toMatchObject([200, { id: 'org/my-model', owned_by: 'openai' }]);
  });

  it('that no provider lists does not exist', async () => {
    upstream.respondWith(json({ object: 'list', data: [] }));
    expect(await failureOf(openai.models.retrieve('gpt-0'))).toMatchObject({
      ...{ status: 404, type: 'not_found_error' },
      message: '404 No configured provider lists the model "gpt-0". Available: echo. GET /v1/models lists all models.',
    });
    const { data, errors } = await service.graphql('{ chatModel(id: "gpt-0") { id } }');
    expect([data.chatModel, errors?.[0]?.extensions.code]).toEqual([null, 'NOT_FOUND']);
    upstream.respondWith(json({}, 500));
    expect(await failureOf(openai.models.retrieve('gpt-0'))).toMatchObject({ status: 503 });
  });
});

it('an unknown path is answered with the known ones', async () => {
  const error = await failureOf(openai.images.generate({ prompt: 'x', model: 'm' }));
  expect([error.status, error.type]).toEqual([404, 'not_found_error']);
  for (const path of ['POST /v1/chat/completions', 'GET /v1/models/{model}', 'POST /v1/responses'])
    expect(error.message).toContain(path);
});

it('a 429 has the limits of the provider', async () => {
  const limits = { 'retry-after': '7', 'x-ratelimit-limit-requests': '60', 'x-ratelimit-limit': '60' };
  upstream.respondWith(json({ error: { message: 'busy' } }, 429, limits));
  const chat = await failureOf(
    openai.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'x' }] }),
  );
  const embeddings = await failureOf(openai.embeddings.create({ model: 'm', input: 'x' }));
  for (const { status, headers } of [chat, embeddings])
    expect([status, ...Object.keys(limits).map(name => headers.get(name))]).toEqual([429, ...Object.values(limits)]);
});

it('an abort of the client ends the provider’s work', async () => {
  for (const ask of [
    (options: object) => openai.embeddings.create({ model: 'm', input: 'x' }, options),
    (options: object) => openai.responses.create({ model: 'gpt-4o', input: 'x' }, options),
    (options: object) => openai.responses.create({ model: 'claude-haiku-4-5', input: 'x' }, options),
  ]) {
    const [arrived, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    upstream.respondWith(answer => {
      answer.once('close', closed.resolve);
      arrived.resolve();
    });
    const controller = new AbortController();
    const call = failureOf(ask({ signal: controller.signal }));
    await arrived.promise;
    controller.abort();
    expect((await call).constructor.name).toBe('APIUserAbortError');
    await closed.promise;
  }
});

it('masks the service’s key in an answer of the provider', async () => {
  upstream.respondWith((answer, { headers }) =>
    json({ authorization: headers.authorization })(answer, upstream.requests[0]!),
  );
  expect(JSON.stringify(await openai.responses.create({ model: 'gpt-4o', input: 'x' }))).not.toContain('0123456789');
});
