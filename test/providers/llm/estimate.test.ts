import { expect, test } from '@jest/globals';
import type { ModelRequest } from '../../../src/engine/ports.js';
import { createOutbound } from '../../../src/platform/outbound/outbound.js';
import { readAnswer } from '../../../src/providers/llm/chat/model-answer.js';
import { estimateTokens } from '../../../src/providers/llm/estimate-tokens.js';
import { createLanguageModels } from '../../../src/providers/llm/registry.js';

const outbound = createOutbound({ allow: [], trusted: true });
const models = createLanguageModels({ openai: { apiKey: 'k' }, outbound });
const request = (settings: ModelRequest['settings'], more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: 'user', content: 'word '.repeat(800) }],
  settings,
  ...more,
});

// gpt-4o-mini costs 0.15 USD per million input tokens, and 0.60 USD per million output tokens.
test('an estimate is the price of the counted prompt and the longest answer', async () => {
  expect(await models.estimate(request({ model_name: 'gpt-4o-mini', max_tokens: 500 }))).toBe('0.00045');
  expect(await models.estimate(request({ model_name: 'openai/gpt-4o-mini', max_tokens: 500 }))).toBe('0.00045');
  expect(await models.estimate(request({ max_tokens: 500 }))).toBe('0.00045');
});

test('an answer without a limit counts as 4096 tokens', async () => {
  expect(await models.estimate(request({ model_name: 'gpt-4o-mini' }))).toBe('0.0026076');
});

test('tools and their calls are part of the prompt', async () => {
  const toolCall = { id: 'a', name: 'search', arguments: '{}' };
  const settings = { model_name: 'gpt-4o-mini', max_tokens: 1 };
  const bare = request(settings);
  const additions: Partial<ModelRequest>[] = [
    { messages: [...bare.messages, { role: 'assistant', content: '', toolCalls: [toolCall] }] },
    { tools: [{ name: 'search', description: 'Finds.', parameters: { type: 'object' } }] },
  ];
  for (const addition of additions)
    expect(Number(await models.estimate(request(settings, addition)))).toBeGreaterThan(
      Number(await models.estimate(bare)),
    );
});

test('a call without reported usage is charged for its tools', async () => {
  const tools = [{ name: 'search', description: 'Finds.', parameters: { type: 'object' } }];
  const answer = { choices: [{ message: { content: 'Hi.' } }] };
  const options = { provider: 'openai', seller: undefined, model: 'gpt-4o-mini', baseUrl: '', isOwn: false };
  const { usage } = await readAnswer(answer, { ...options, request: request({}, { tools }) });
  expect(usage.promptTokens).toBe(1_000 + estimateTokens(JSON.stringify(tools[0])));
});

test('an estimate is zero where no price is known', async () => {
  expect(await models.estimate(request({ model_name: 'custom-model-7b' }))).toBe('0');
  expect(await models.estimate(request({ model_name: 'echo' }))).toBe('0');
  const unpriced = createLanguageModels({ outbound });
  expect(await unpriced.estimate(request({ model_name: 'gpt-4o-mini' }))).toBe('0');
});
