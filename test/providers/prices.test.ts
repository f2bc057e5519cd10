import { describe, expect, test } from '@jest/globals';
import { costOf } from '../../src/providers/prices.js';

const use = { provider: 'openai', model: 'gpt-4o-mini', promptTokens: 1000, completionTokens: 100 };

describe('costOf', () => {
  // 0.15 USD per million input tokens, 0.60 output.
  test('multiplies the unit prices exactly', async () => {
    expect(await costOf(use)).toBe('0.00021');
    expect(await costOf({ ...use, promptTokens: 1, completionTokens: 0 })).toBe('0.00000015');
    expect(await costOf({ ...use, promptTokens: 3, completionTokens: 7 })).toBe('0.00000465');
    expect(await costOf({ ...use, promptTokens: 2_147_483_647, completionTokens: 1 })).toBe('322.12254765');
  });

  test('is zero for no tokens', async () => {
    expect(await costOf({ ...use, promptTokens: 0, completionTokens: 0 })).toBe('0');
  });

  test('is null for an unknown model', async () => {
    expect(await costOf({ ...use, model: 'custom-model-7b' })).toBeNull();
    expect(await costOf({ ...use, model: '' })).toBeNull();
  });

  // gpt-4o-mini: half of 0.15 for cached input. claude-sonnet-4: 3 input, 0.30 cache read, 3.75 cache write, 15 output.
  test('has other prices for tokens read from or written to a cache', async () => {
    expect(await costOf({ ...use, cacheReadTokens: 800 })).toBe('0.00015');
    const written = { ...use, provider: 'anthropic', model: 'claude-sonnet-4-20250514', cacheWriteTokens: 500 };
    expect(await costOf({ ...written, cacheReadTokens: 500 })).toBe('0.003525');
  });

  test('uses the price of the prompt for a cache without a price', async () => {
    expect(await costOf({ ...use, cacheWriteTokens: 800 })).toBe('0.00021');
  });

  // gpt-5.4: 2.50 input and 15 output; from the 272,000th prompt token on 5 and 22.50 for the whole call.
  test('uses the tier for the length of the prompt', async () => {
    expect(await costOf({ ...use, model: 'gpt-5.4', promptTokens: 271_999, completionTokens: 100 })).toBe('0.6814975');
    expect(await costOf({ ...use, model: 'gpt-5.4', promptTokens: 272_000, completionTokens: 100 })).toBe('1.36225');
  });

  test('finds the maker of a model behind an unknown upstream', async () => {
    const behind = { ...use, model: 'claude-sonnet-4-20250514', baseUrl: 'http://127.0.0.1:9/v1' };
    expect(await costOf(behind)).toBe('0.0045');
  });

  test('uses the price of the upstream where it is a known seller', async () => {
    const groqUse = { ...use, model: 'llama-3.3-70b-versatile', baseUrl: 'https://api.groq.com/openai/v1' };
    expect(await costOf(groqUse)).toBe('0.000669');
  });
});
