import { describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '../../../src/providers/llm/chat/chat-format.js';
import { ChatMeter } from '../../../src/providers/llm/chat/chat-meter.js';

const request: ChatRequest = { text: '{}', value: { model: 'm', messages: [{ role: 'user', content: 'Hello' }] } };
const usage = { prompt_tokens: 3, completion_tokens: 4 };
const choicesOf = (content: string) => [{ index: 0, message: { role: 'assistant', content } }];

/** The usage of a whole answer, reported or counted. */
async function countsOf(answer: string) {
  const meter = new ChatMeter(request);
  meter.readResponse(Buffer.from(answer));
  const { promptTokens, completionTokens, isCounted } = await meter.counts();
  return { promptTokens, completionTokens, isCounted };
}

describe('ChatMeter, of a whole answer', () => {
  const reported = { promptTokens: 3, completionTokens: 4, isCounted: false };

  it.each([
    ['at its end', { choices: choicesOf('Hi'), usage }],
    ['before other members', { choices: choicesOf('Hi'), usage, system_fingerprint: 'f', service_tier: null }],
    ['before all that was said', { usage, choices: choicesOf('Hi') }],
    ['next to a text that mentions it', { usage, choices: choicesOf('{"usage":{"prompt_tokens":90}}') }],
    [
      'next to a member of another object with this name',
      { usage, choices: choicesOf('Hi'), more: { usage: 'usage' } },
    ],
    ['next to a value with this name', { usage, choices: choicesOf('usage'), object: 'usage' }],
  ])('reads the usage that is reported %s', async (_where, answer) => {
    expect(await countsOf(JSON.stringify(answer))).toEqual(reported);
    expect(await countsOf(JSON.stringify(answer, null, 2))).toEqual(reported);
  });

  it.each([
    ['is reported', { choices: choicesOf('Hi there') }],
    ['is reported of the answer itself', { choices: choicesOf('Hi there'), more: { usage } }],
    ['of it can be read', { choices: choicesOf('Hi there'), usage: 'usage' }],
  ])('counts where none %s', async (_where, answer) => {
    expect(await countsOf(JSON.stringify(answer))).toMatchObject({ isCounted: true, completionTokens: 2 });
  });

  it('treats invalid JSON as an empty answer', async () => {
    expect(await countsOf('<html>')).toMatchObject({ isCounted: true, completionTokens: 0 });
  });
});
