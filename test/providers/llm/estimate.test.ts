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

// gpt-4o-mini: 0.15 USD per million input tokens, 0.60 output.
test('an estimate is the price of the counted prompt and the longest answer', async () => {
  expect(await models.estimate(request({ model_name: 'gpt-4o-mini', max_tokens: 500 }))).toBe('0.00045');
  expect(await models.estimate(request({ model_name: 'openai/gpt-4o-mini', max_tokens: 500 }))).toBe('0.00045');
  expect(await models.estimate(request({ max_tokens: 500 }))).toBe('0.00045');
});

test('an answer without a limit counts as 4096 tokens', async () => {
  expect(await models.estimate(request({ model_name: 'gpt-4o-mini' }))).toBe('0.0026076');
});

test('tools and their calls are part of the prompt', async () => {
  const asked = { id: 'a', name: 'search', arguments: '{}' };
  const bare = request({ model_name: 'gpt-4o-mini', max_tokens: 1 });
  const withTools = {
    ...bare,
    messages: [...bare.messages, { role: 'assistant', content: '', toolCalls: [asked] }],
    tools: [{ name: 'search', description: 'Finds.', parameters: { type: 'object' } }],
  };
  expect(Number(await models.estimate(withTools))).toBeGreaterThan(Number(await models.estimate(bare)));
});

test('is zero where no price is known', async () => {
  expect(await models.estimate(request({ model_name: 'custom-model-7b' }))).toBe('0');
  expect(await models.estimate(request({ model_name: 'echo' }))).toBe('0');
  const unpriced = createLanguageModels({ outbound });
  expect(await unpriced.estimate(request({ model_name: 'gpt-4o-mini' }))).toBe('0');
});
