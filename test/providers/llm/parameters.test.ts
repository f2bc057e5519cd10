import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallContext, ModelSettings } from '../../../src/engine/ports.js';
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
    openai: { baseUrl: `${upstream.origin}/v1`, apiKey: 'sk-openai' },
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

const call: CallContext = { signal: new AbortController().signal, idempotencyKey: 'run:node' };
const tools = [{ type: 'function', function: { name: 'add', parameters: { type: 'object', properties: {} } } }];

/** Sends the settings of a node and returns the body that the provider received. */
async function bodyFor(settings: ModelSettings): Promise<any> {
  await models.complete({ messages: [{ role: 'user', content: 'Hi' }], settings }, call).catch(() => {});
  return upstream.requests.at(-1)?.body;
}

const failure = (settings: ModelSettings) =>
  models.complete({ messages: [], settings }, call).then(
    () => undefined,
    (error: { code: string; message: string }) => ({ code: error.code, message: error.message }),
  );

describe('an OpenAI-compatible provider', () => {
  it('receives its parameters unchanged, and its own members', async () => {
    upstream.respondWith(json({ choices: [{ message: { content: 'Hi' }, finish_reason: 'length' }] }));
    const settings = { seed: 7, stop: ['.'], logprobs: true, metadata: { a: 'b' }, tools, tool_choice: 'auto' };
    expect(await bodyFor({ model_name: 'gpt-4o', ...settings, provider_options: { top_k: 4 } })).toEqual({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Hi' }],
      ...settings,
      top_k: 4,
    });
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['function_call', 'tool_calls'],
    ['eos', 'other'],
    [null, undefined],
  ])('reports the finish reason %s as %s', async (reported, expected) => {
    upstream.respondWith(json({ choices: [{ message: { content: 'Hi' }, finish_reason: reported }] }));
    const answer = await models.complete({ messages: [], settings: { model_name: 'gpt-4o' } }, call);
    expect(answer.usage.finishReason).toBe(expected);
  });
});

describe('Anthropic', () => {
  const model_name = 'claude-sonnet-4-5';

  it('receives translated parameters and its own members', async () => {
    const settings = { model_name, stop: 'END', user: 'u', max_completion_tokens: 9, presence_penalty: 0 };
    const body = await bodyFor({ ...settings, provider_options: { top_k: 4, service_tier: 'auto' } });
    expect(body).toMatchObject({ max_tokens: 9, stop_sequences: ['END'], metadata: { user_id: 'u' } });
    expect(body).toMatchObject({ top_k: 4, service_tier: 'auto' });
    expect(body).not.toHaveProperty('presence_penalty');
  });

  it('receives the effort as a budget of reasoning', async () => {
    // The default for the answer, 4096, and the budget.
    expect(await bodyFor({ model_name, reasoning_effort: 'medium' })).toMatchObject({
      max_tokens: 12_288,
      thinking: { type: 'enabled', budget_tokens: 8192 },
    });
    // The budget is smaller than the limit of the caller, as the provider demands.
    expect(await bodyFor({ model_name, reasoning_effort: 'high', max_tokens: 2000 })).toMatchObject({
      max_tokens: 2000,
      thinking: { budget_tokens: 1999 },
    });
  });

  it.each([{ tools }, { temperature: 0.7 }, { max_tokens: 1024 }])('refuses an effort together with %j', async more => {
    const refused = await failure({ model_name, reasoning_effort: 'low', ...more });
    expect(refused).toMatchObject({ code: 'bad_request', message: expect.stringContaining('reasoning_effort') });
  });

  it('refuses unsupported parameters, and names them', async () => {
    expect(await failure({ model_name, seed: 1, logit_bias: {} })).toEqual({
      code: 'bad_request',
      message: 'The provider anthropic does not support seed, logit_bias. Remove it or choose another model.',
    });
    expect(models.refusedParameters(undefined, model_name)).toContain('seed');
  });
});

describe('Gemini', () => {
  it('receives translated parameters and its own members', async () => {
    const settings = { seed: 7, presence_penalty: 1, reasoning_effort: 'low', stop: 'END' };
    const own = { safetySettings: [], generationConfig: { responseModalities: ['TEXT'], seed: 1 } };
    expect(await bodyFor({ model_name: 'gemini-2.5-pro', ...settings, provider_options: own })).toMatchObject({
      safetySettings: [],
      generationConfig: {
        ...{ seed: 7, presencePenalty: 1, stopSequences: ['END'], responseModalities: ['TEXT'] },
        thinkingConfig: { thinkingBudget: 1024 },
      },
    });
    expect(await bodyFor({ model_name: 'gemini-3-pro', reasoning_effort: 'high' })).toMatchObject({
      generationConfig: { thinkingConfig: { thinkingLevel: 'high' } },
    });
  });

  it('refuses unsupported parameters, and names them', async () => {
    expect(await failure({ model_name: 'gemini-2.5-pro', logprobs: true })).toEqual({
      code: 'bad_request',
      message: 'The provider gemini does not support logprobs. Remove it or choose another model.',
    });
  });
});
