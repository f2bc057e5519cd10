import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { MediaRequest } from '../../../src/engine/files/media.js';
import type { CallContext, ModelRequest } from '../../../src/engine/ports.js';
import { createOutbound, type Outbound } from '../../../src/platform/outbound/outbound.js';
import { createLanguageModels, type LanguageModels } from '../../../src/providers/llm/registry.js';
import { type ChatUpstream, json, startChatUpstream } from '../../support/upstreams/chat-upstream.js';

let upstream: ChatUpstream;
let outbound: Outbound;
let models: LanguageModels;

beforeAll(async () => {
  upstream = await startChatUpstream();
  outbound = createOutbound({ allow: [], trusted: true });
  models = createLanguageModels({
    anthropic: { baseUrl: `${upstream.origin}/a`, apiKey: 'sk-anthropic' },
    openai: { baseUrl: `${upstream.origin}/o/v1`, apiKey: 'sk-openai' },
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

const call: CallContext = { signal: new AbortController().signal, idempotencyKey: 'run:node' };
const requestOf = (model: string, text: string, media: MediaRequest): ModelRequest => ({
  messages: text === '' ? [] : [{ role: 'user', content: text }],
  settings: { model_name: model },
  media,
});
const image: MediaRequest = { kind: 'image', options: { size: '512x512' } };
const speech: MediaRequest = { kind: 'speech', options: { voice: 'nova', response_format: 'mp3' } };
const recording = { name: 'a.mp3', contentType: 'audio/mpeg', bytes: Buffer.from([255, 0, 251]) };
const transcription: MediaRequest = {
  kind: 'transcription',
  options: { language: 'de', response_format: 'json' },
  recording,
};

describe('media for nodes', () => {
  it('creates an image and charges the reported tokens', async () => {
    upstream.respondWith(json({ data: [{ b64_json: 'AAEC' }], usage: { input_tokens: 10, output_tokens: 1_000 } }));
    const answer = await models.complete(requestOf('gpt-image-1', 'A cat', image), call);
    expect(Buffer.from(answer.bytes ?? [])).toEqual(Buffer.from([0, 1, 2]));
    expect(answer.usage).toMatchObject({ provider: 'openai', promptTokens: 10, completionTokens: 1_000 });
    const [request] = upstream.requests;
    expect(request).toMatchObject({ path: '/o/v1/images/generations', headers: { 'idempotency-key': 'run:node' } });
    expect(request?.body).toEqual({ size: '512x512', model: 'gpt-image-1', prompt: 'A cat', n: 1 });
  });

  it('asks older image models for base64, and their cost is unknown', async () => {
    upstream.respondWith(json({ data: [{ b64_json: 'AAEC' }] }));
    const { usage } = await models.complete(requestOf('dall-e-3', 'A cat', image), call);
    expect(upstream.requests[0]?.body).toMatchObject({ model: 'dall-e-3', response_format: 'b64_json' });
    expect(usage.costUsd).toBeNull();
  });

  it('creates speech byte for byte', async () => {
    const bytes = Buffer.from([255, 251, 0, 128]);
    upstream.respondWith(response => response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(bytes));
    const answer = await models.complete(requestOf('gpt-4o-mini-tts', 'Hello', speech), call);
    expect(Buffer.from(answer.bytes ?? [])).toEqual(bytes);
    expect(answer.usage).toMatchObject({ provider: 'openai', model: 'gpt-4o-mini-tts', costUsd: null });
    const body = { voice: 'nova', response_format: 'mp3', model: 'gpt-4o-mini-tts', input: 'Hello' };
    expect(upstream.requests[0]).toMatchObject({ path: '/o/v1/audio/speech', body });
  });

  it('sends a recording as a form and reads its text', async () => {
    upstream.respondWith(json({ text: 'Hallo', usage: { type: 'tokens', input_tokens: 14, output_tokens: 3 } }));
    const answer = await models.complete(requestOf('gpt-4o-transcribe', 'Ada', transcription), call);
    expect(JSON.parse(answer.text).text).toBe('Hallo');
    expect(answer.usage).toMatchObject({ promptTokens: 14, completionTokens: 3 });
    const [request] = upstream.requests;
    expect(request?.path).toBe('/o/v1/audio/transcriptions');
    expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    for (const part of ['name="model"', 'gpt-4o-transcribe', 'name="language"', 'name="prompt"', 'filename="a.mp3"'])
      expect(request?.text).toContain(part);
  });

  it.each<[string, MediaRequest, unknown]>([
    ['an image', image, {}],
    ['an image', image, { data: [{ url: 'http://10.0.0.1/a.png' }] }],
    ['a transcription', transcription, { text: 5 }],
  ])('refuses a response without %s', async (_, media, body) => {
    upstream.respondWith(json(body));
    await expect(models.complete(requestOf('openai/x', 'A', media), call)).rejects.toMatchObject({
      code: 'bad_upstream_answer',
    });
  });

  it.each([
    ['speech', speech],
    ['image', image],
  ] as const)('passes an error of the provider on for %s', async (_, media) => {
    upstream.respondWith(json({ error: { message: 'no such voice' } }, 400));
    await expect(models.complete(requestOf('openai/x', 'A', media), call)).rejects.toMatchObject({
      code: 'upstream_error',
      status: 400,
      message: expect.stringContaining('no such voice'),
    });
  });

  it.each([
    [image, 'images'],
    [speech, 'speech'],
    [transcription, 'transcriptions'],
  ])('is refused by a provider without it', async (media, title) => {
    await expect(models.complete(requestOf('anthropic/claude-x', 'a', media), call)).rejects.toMatchObject({
      code: 'bad_request',
      message: `The provider anthropic has no ${title}.`,
    });
    expect(upstream.requests).toEqual([]);
  });

  it('is estimated by assumed tokens', async () => {
    expect(Number(await models.estimate(requestOf('gpt-image-1', 'A cat', image)))).toBeGreaterThan(0.1);
  });
});
