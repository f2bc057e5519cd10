import { expect, test } from '@jest/globals';
import type { ModelRequest } from '../../../src/engine/ports.js';
import { createOutbound } from '../../../src/platform/outbound/outbound.js';
import { createLanguageModels } from '../../../src/providers/llm/registry.js';

const outbound = createOutbound({ allow: [], trusted: true });
const models = createLanguageModels({ openai: { apiKey: 'k' }, outbound });
const request = (settings: ModelRequest['settings'], more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: 'user', content: 'word '.repeat(800) }],
  settings,
  ...more,
});

// gpt-4o-mini: 0.15 USD a million tokens in, 0.60 out.
test('an estimate is the counted prompt and the longest answer at the price of the model', async () => {
  expect(await models.estimate(request({ model_name: 'gpt-4o-mini', max_tokens: 500 }))).toBe('0.00045');
  expect(await models.estimate(request({ model_name: 'openai/gpt-4o-mini', max_tokens: 500 }))).toBe('0.00045');
  expect(await models.estimate(request({ max_tokens: 500 }))).toBe('0.00045');
});

test('an answer whose length is not bound is taken for 4096 tokens', async () => {
  expect(await models.estimate(request({ model_name: 'gpt-4o-mini' }))).toBe('0.0026076');
});

test('tools, and what was asked of them, are part of the prompt', async () => {
  const asked = { id: 'a', name: 'search', arguments: '{}' };
  const bare = request({ model_name: 'gpt-4o-mini', max_tokens: 1 });
  const laden = {
    ...bare,
    messages: [...bare.messages, { role: 'assistant', content: '', toolCalls: [asked] }],
    tools: [{ name: 'search', description: 'Finds.', parameters: { type: 'object' } }],
  };
  expect(Number(await models.estimate(laden))).toBeGreaterThan(Number(await models.estimate(bare)));
});

test('nothing is estimated where no price is known', async () => {
  expect(await models.estimate(request({ model_name: 'house-model-7b' }))).toBe('0');
  expect(await models.estimate(request({ model_name: 'echo' }))).toBe('0');
  const alone = createLanguageModels({ outbound });
  expect(await alone.estimate(request({ model_name: 'gpt-4o-mini' }))).toBe('0');
});
