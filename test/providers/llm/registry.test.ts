import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type CallContext, type ModelRequest, PortError } from '../../../src/engine/ports.js';
import { createOutbound } from '../../../src/platform/outbound/outbound.js';
import { createLanguageModels, type LanguageModels } from '../../../src/providers/llm/registry.js';
import { serveHttp } from '../../support/upstreams/loopback-server.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

const apiKey = 'sk-canary-5f3a';
const call: CallContext = { signal: new AbortController().signal, idempotencyKey: 'run:node' };
const requestOf = (model?: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello?' },
  ],
  settings: { model_name: model },
  ...more,
});

interface UpstreamRequest {
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** Starts an OpenAI-compatible upstream that responds with `answer`, and models that call it. */
async function startUpstream(
  answer: (response: ServerResponse) => void,
): Promise<{ models: LanguageModels; requests: UpstreamRequest[] }> {
  const requests: UpstreamRequest[] = [];
  const server = await serveHttp((request, response) => {
    const read = request.method === 'POST' ? json(request) : Promise.resolve({});
    void read.then(body => {
      requests.push({ url: request.url, headers: request.headers, body: body as Record<string, unknown> });
      answer(response);
    });
  });
  const outbound = createOutbound({ allow: [], trusted: true });
  open.push(server, outbound);
  return { models: createLanguageModels({ openai: { baseUrl: `${server.url}/v1/`, apiKey }, outbound }), requests };
}

const unconfigured = () => createLanguageModels({ outbound: createOutbound({ allow: [], trusted: true }) });

function completion(more: Record<string, unknown> = {}) {
  return (response: ServerResponse) => {
    const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ id: 'x', choices, usage, ...more }));
  };
}

const completionOf = (content: unknown) => completion({ choices: [{ message: { content } }] });
const raw =
  (status: number, body: string, type = 'application/json') =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': type }).end(body);

describe('echo', () => {
  test('answers with the last user message, counted and free', async () => {
    const messages = [
      { role: 'user', content: 'first' },
      { role: 'user', content: 'second' },
      { role: 'assistant', content: 'answer' },
    ];
    const answer = await unconfigured().complete({ messages, settings: { model_name: 'echo' } }, call);
    expect(answer.text).toBe('second');
    expect(answer.usage).toEqual({
      provider: 'echo',
      model: 'echo',
      promptTokens: 6,
      completionTokens: 2,
      costUsd: '0',
      finishReason: 'stop',
    });
  });

  test('uses the last message where no user message exists', async () => {
    const messages = [{ role: 'system', content: 'alone' }];
    expect((await unconfigured().complete({ messages, settings: { model_name: 'echo' } }, call)).text).toBe('alone');
  });

  test('ends with an aborted signal', async () => {
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(unconfigured().complete(requestOf('echo'), { ...call, signal })).rejects.toThrow('cancelled');
  });
});

describe('routing', () => {
  const reached = async (models: LanguageModels, provider?: string, model?: string) => {
    const { usage } = await models.complete(requestOf(model, { provider }), call);
    return `${usage.provider}: ${usage.model}`;
  };

  test.each([
    [undefined, 'echo', 'echo: echo'],
    [undefined, 'echo/echo', 'echo: echo'],
    ['echo', undefined, 'echo: echo'],
    [undefined, undefined, 'openai: gpt-4o-mini'],
    ['openai', undefined, 'openai: gpt-4o-mini'],
    [undefined, 'gpt-5', 'openai: gpt-5'],
    [undefined, 'openai/gpt-5', 'openai: gpt-5'],
    ['openai', 'openai/gpt-5', 'openai: gpt-5'],
    [undefined, 'custom-model', 'openai: custom-model'],
    [undefined, 'meta-llama/Llama-3', 'openai: meta-llama/Llama-3'],
    ['openai', 'echo', 'openai: echo'],
  ])('with an upstream routes provider %s and model %s to %s', async (provider, model, expected) => {
    const { models, requests } = await startUpstream(completion());
    expect(models.serves(provider, model)).toBe(true);
    expect(await reached(models, provider, model)).toBe(expected);
    if (expected.startsWith('openai')) expect(requests[0]?.body.model).toBe(expected.slice('openai: '.length));
    else expect(requests).toEqual([]);
  });

  test('without an upstream knows only echo', async () => {
    const models = unconfigured();
    expect(await reached(models)).toBe('echo: echo');
    for (const model of ['gpt-5', 'openai/gpt-5', 'echo/other', 'echo/', 'Echo']) {
      expect(models.serves(undefined, model)).toBe(false);
      await expect(models.complete(requestOf(model), call)).rejects.toMatchObject({ code: 'model_not_found' });
    }
    expect(await models.models(call.signal)).toEqual([{ provider: 'echo', model: 'echo', id: 'echo' }]);
  });

  test('names the configured providers when an unknown one is requested', async () => {
    const { models } = await startUpstream(completion());
    expect(models.serves('anthropic', 'claude')).toBe(false);
    await expect(models.complete(requestOf('claude', { provider: 'anthropic' }), call)).rejects.toThrow(
      'provider must be one of echo, openai.',
    );
  });

  test('lists the models of the upstream', async () => {
    const { models, requests } = await startUpstream(raw(200, '{"data":[{"id":"one"},{"id":2},null,{"id":"three"}]}'));
    expect(await models.models(call.signal)).toEqual([
      { provider: 'echo', model: 'echo', id: 'echo' },
      { provider: 'openai', model: 'one', id: 'one' },
      { provider: 'openai', model: 'three', id: 'three' },
    ]);
    expect(requests[0]).toMatchObject({ url: '/v1/models', headers: { authorization: `Bearer ${apiKey}` } });
  });

  test('lists the rest when the upstream fails', async () => {
    const { models } = await startUpstream(raw(500, 'oops'));
    expect(await models.models(call.signal)).toEqual([{ provider: 'echo', model: 'echo', id: 'echo' }]);
  });
});

describe('an OpenAI-compatible upstream', () => {
  test('receives the settings unchanged, and its answer is priced', async () => {
    const { models, requests } = await startUpstream(completion());
    const response_format = { type: 'json_object' };
    const settings = { model_name: 'gpt-4o-mini', temperature: 0, top_p: 0.5, max_tokens: 7, response_format };
    const answer = await models.complete({ ...requestOf(), settings }, call);
    expect(answer).toEqual({
      text: 'Hi.',
      usage: {
        ...{ provider: 'openai', model: 'gpt-4o-mini', promptTokens: 12, completionTokens: 3, costUsd: '0.0000036' },
        finishReason: 'stop',
      },
    });
    expect(requests[0]).toMatchObject({
      url: '/v1/chat/completions',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': 'run:node' },
    });
    expect(requests[0]?.body).toEqual({
      model: 'gpt-4o-mini',
      messages: requestOf().messages,
      temperature: 0,
      top_p: 0.5,
      max_tokens: 7,
      response_format,
    });
  });

  test('sends no setting that is not given', async () => {
    const { models, requests } = await startUpstream(completion());
    await models.complete(requestOf('gpt-5'), call);
    expect(Object.keys(requests[0]?.body ?? {})).toEqual(['model', 'messages']);
  });

  test('leaves the cost of a model without a known price open', async () => {
    const { models } = await startUpstream(completion());
    expect((await models.complete(requestOf('custom-model'), call)).usage.costUsd).toBeNull();
  });

  test.each([
    ['a text', 'plain', 'plain'],
    ['an empty text', '', ''],
    [
      'parts',
      [
        { type: 'text', text: 'one ' },
        { type: 'text', text: 'two' },
      ],
      'one two',
    ],
    ['what PostgreSQL cannot store', 'a\0b\ud800c', 'a\uFFFDb\uFFFDc'],
  ])('may answer with %s', async (_title, content, expected) => {
    const { models } = await startUpstream(completionOf(content));
    expect((await models.complete(requestOf('gpt-5'), call)).text).toBe(expected);
  });

  test('may refuse, and the refusal is the answer', async () => {
    const { models } = await startUpstream(
      completion({ choices: [{ message: { content: null, refusal: 'I must not.' } }] }),
    );
    expect((await models.complete(requestOf('gpt-5'), call)).text).toBe('I must not.');
  });

  test.each([
    ['missing', undefined],
    ['null', null],
    ['negative', { prompt_tokens: -5, completion_tokens: 3 }],
    ['fractional', { prompt_tokens: 1.5, completion_tokens: 3 }],
    ['a text', { prompt_tokens: '12', completion_tokens: 3 }],
    ['absurd', { prompt_tokens: 1e300, completion_tokens: 3 }],
    ['half there', { prompt_tokens: 12 }],
  ])('whose usage is %s is counted instead', async (_title, usage) => {
    const { models } = await startUpstream(completion({ usage }));
    const answer = await models.complete(requestOf('gpt-4o-mini'), call);
    expect(answer.usage).toMatchObject({ promptTokens: 5, completionTokens: 1, costUsd: '0.00000135' });
  });

  test('is cheaper for tokens from the cache of the provider, at most those of the prompt', async () => {
    const costWith = async (details: object) => {
      const usage = { prompt_tokens: 1000, completion_tokens: 100, prompt_tokens_details: details };
      const { models } = await startUpstream(completion({ usage }));
      return (await models.complete(requestOf('gpt-4o-mini'), call)).usage.costUsd;
    };
    expect(await costWith({ cached_tokens: 800 })).toBe('0.00015');
    for (const nonsense of [1001, -1, 0.5, '800']) expect(await costWith({ cached_tokens: nonsense })).toBe('0.00021');
  });

  test.each<[string, (response: ServerResponse) => void, string, RegExp]>([
    ['answers 500', raw(500, '{"error":{"message":"engine on fire"}}'), 'upstream_error', /status 500: engine on fire/],
    ['answers 503 in HTML', raw(503, '<html>secret stack</html>', 'text/html'), 'upstream_error', /\(status 503\)\.$/],
    ['answers 404', raw(404, '{"error":"no such model"}'), 'upstream_error', /status 404: no such model/],
    ['answers 400', raw(400, '{"message":"bad temperature"}'), 'upstream_error', /status 400: bad temperature/],
    ['answers 429', raw(429, '{"error":{"message":"slow down"}}'), 'rate_limited_upstream', /status 429: slow down/],
    ['answers 504', raw(504, ''), 'upstream_timeout', /status 504/],
    [
      'answers 401',
      raw(401, `{"error":{"message":"bad key ${apiKey}"}}`),
      'upstream_error',
      /credentials \(status 401\)/,
    ],
    [
      'redirects',
      response => response.writeHead(302, { location: 'http://a.example/' }).end(),
      'upstream_error',
      /status 302/,
    ],
    ['answers HTML', raw(200, '<html>hello</html>', 'text/html'), 'bad_upstream_answer', /did not answer with JSON/],
    ['answers nothing', raw(200, ''), 'bad_upstream_answer', /did not answer with JSON/],
    ['cuts its JSON', raw(200, '{"choices":[{"mess'), 'bad_upstream_answer', /did not answer with JSON/],
    ['answers a scalar', raw(200, '42'), 'bad_upstream_answer', /choices\[0\]/],
    ['answers null', raw(200, 'null'), 'bad_upstream_answer', /choices\[0\]/],
    ['answers no choices', raw(200, '{"choices":[]}'), 'bad_upstream_answer', /choices\[0\]/],
    ['answers a message that is not a text', completionOf({ a: 1 }), 'bad_upstream_answer', /choices\[0\]/],
    ['resets', response => response.socket?.resetAndDestroy(), 'upstream_unreachable', /connection failed/],
    [
      'closes in the middle',
      response => response.writeHead(200, { 'content-length': 99 }).write('{', () => response.socket?.destroy()),
      'upstream_unreachable',
      /connection failed/,
    ],
    [
      'answers without end',
      response => response.writeHead(200, { 'content-length': 1e9 }).flushHeaders(),
      'bad_upstream_answer',
      /larger than the allowed/,
    ],
  ])('that %s is a clear failure', async (_title, answer, code, message) => {
    const { models } = await startUpstream(answer);
    const error: unknown = await models.complete(requestOf('gpt-4o-mini'), call).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PortError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(JSON.stringify(error) + String(error)).not.toContain('canary');
  });

  test('fails without the key, and with no more than a line of its error', async () => {
    const message = `your key ${apiKey} and sk-proj-other*** ${'x'.repeat(5000)}`;
    const { models } = await startUpstream(raw(500, JSON.stringify({ error: { message } })));
    const error = (await models.complete(requestOf('gpt-5'), call).catch((caught: unknown) => caught)) as PortError;
    expect(error.message).toContain('your key ******** and ******** xxx');
    expect(error.message.length).toBeLessThan(400);
  });

  test('without a server is unreachable', async () => {
    const { url, close } = await serveHttp(() => {});
    await close();
    const outbound = createOutbound({ allow: [], trusted: true });
    const models = createLanguageModels({ openai: { baseUrl: `${url}/v1` }, outbound });
    await expect(models.complete(requestOf('gpt-5'), call)).rejects.toMatchObject({ code: 'upstream_unreachable' });
  });

  test('that hangs is ended by the time limit of the signal', async () => {
    const { models } = await startUpstream(() => {});
    const signal = AbortSignal.timeout(100);
    await expect(models.complete(requestOf('gpt-5'), { ...call, signal })).rejects.toMatchObject({
      code: 'upstream_timeout',
    });
  });

  test('that hangs is aborted when the run is cancelled, with that reason', async () => {
    const controller = new AbortController();
    const { models } = await startUpstream(() => controller.abort(new Error('run cancelled')));
    await expect(models.complete(requestOf('gpt-5'), { ...call, signal: controller.signal })).rejects.toThrow(
      'run cancelled',
    );
  });

  test('is charged for an invalid answer that used tokens', async () => {
    const { models } = await startUpstream(completion({ choices: [] }));
    const error = (await models
      .complete(requestOf('gpt-4o-mini'), call)
      .catch((caught: unknown) => caught)) as PortError;
    expect(error).toMatchObject({ code: 'bad_upstream_answer', usage: { promptTokens: 12, costUsd: '0.0000036' } });
  });
});
