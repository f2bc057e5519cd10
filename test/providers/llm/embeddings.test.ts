import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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
    gemini: { baseUrl: `${upstream.origin}/g/v1beta`, apiKey: 'gemini-key' },
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
const requestOf = (model: string, ...texts: string[]): ModelRequest => ({
  messages: texts.map(content => ({ role: 'user', content })),
  settings: { model_name: model },
  embedding: { dimensions: 2 },
});

describe('embeddings for nodes', () => {
  it('are read in the order of the texts, with their cost', async () => {
    const data = [
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding: [1, 0] },
    ];
    upstream.respondWith(json({ data, usage: { prompt_tokens: 500_000, total_tokens: 500_000 } }));
    const answer = await models.complete(requestOf('text-embedding-3-small', 'a', 'b'), call);
    expect(JSON.parse(answer.text)).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(answer.usage).toEqual({
      provider: 'openai',
      model: 'text-embedding-3-small',
      promptTokens: 500_000,
      completionTokens: 0,
      costUsd: '0.01',
    });
    const [request] = upstream.requests;
    expect(request).toMatchObject({ path: '/o/v1/embeddings', headers: { 'idempotency-key': 'run:node' } });
    expect(request?.body).toEqual({ dimensions: 2, model: 'text-embedding-3-small', input: ['a', 'b'] });
  });

  it('are converted from the format of the provider', async () => {
    upstream.respondWith(json({ embeddings: [{ values: [0.5, 0.5] }] }));
    const answer = await models.complete(requestOf('gemini/gemini-embedding-001', 'a'), call);
    expect(answer).toMatchObject({ text: '[[0.5,0.5]]', usage: { provider: 'gemini', completionTokens: 0 } });
  });

  it.each([
    [{}],
    [{ data: [] }],
    [{ data: [{ embedding: [] }] }],
    [{ data: [{ embedding: ['x'] }] }],
    [{ data: [{ embedding: 'AAAA' }] }],
  ])('fail for the response %j', async body => {
    upstream.respondWith(json(body));
    await expect(models.complete(requestOf('text-embedding-3-small', 'a'), call)).rejects.toMatchObject({
      code: 'bad_upstream_answer',
    });
  });

  it('are refused by a provider without them', async () => {
    await expect(models.complete(requestOf('anthropic/claude-x', 'a'), call)).rejects.toMatchObject({
      code: 'bad_request',
      isFinal: true,
    });
    expect(upstream.requests).toEqual([]);
  });

  it('of the built-in model are equal for equal texts, and differ for others', async () => {
    const { text, usage } = await models.complete(
      { ...requestOf('echo', 'red apples', 'red apples', 'snow'), embedding: {} },
      call,
    );
    const [first, same, other] = JSON.parse(text) as number[][];
    expect(first).toEqual(same);
    expect(first).not.toEqual(other);
    expect(first).toHaveLength(256);
    expect(usage).toMatchObject({ provider: 'echo', costUsd: '0' });
  });
});
