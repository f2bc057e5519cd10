import { describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '../../../src/providers/llm/chat/chat-format.js';
import { ChatMeter } from '../../../src/providers/llm/chat/chat-meter.js';

const request: ChatRequest = { text: '{}', value: { model: 'm', messages: [{ role: 'user', content: 'Hello' }] } };
const usage = { prompt_tokens: 3, completion_tokens: 4 };
const said = (content: string) => [{ index: 0, message: { role: 'assistant', content } }];

/** What a whole answer is taken to have used. */
async function countsOf(answer: string) {
  const meter = new ChatMeter(request);
  meter.seeAnswer(Buffer.from(answer));
  const { promptTokens, completionTokens, isCounted } = await meter.counts();
  return { promptTokens, completionTokens, isCounted };
}

describe('ChatMeter, of a whole answer', () => {
  const reported = { promptTokens: 3, completionTokens: 4, isCounted: false };

  it.each([
    ['at its end', { choices: said('Hi'), usage }],
    ['before other members', { choices: said('Hi'), usage, system_fingerprint: 'f', service_tier: null }],
    ['before all that was said', { usage, choices: said('Hi') }],
    ['beside a text that speaks of it', { usage, choices: said('{"usage":{"prompt_tokens":90}}') }],
    ['beside a member of another object that is called so', { usage, choices: said('Hi'), more: { usage: 'usage' } }],
    ['beside a value that is called so', { usage, choices: said('usage'), object: 'usage' }],
  ])('reads the usage that is reported %s', async (_where, answer) => {
    expect(await countsOf(JSON.stringify(answer))).toEqual(reported);
    expect(await countsOf(JSON.stringify(answer, null, 2))).toEqual(reported);
  });

  it.each([
    ['is reported', { choices: said('Hi there') }],
    ['is reported of the answer itself', { choices: said('Hi there'), more: { usage } }],
    ['of it can be read', { choices: said('Hi there'), usage: 'usage' }],
  ])('counts where none %s', async (_where, answer) => {
    expect(await countsOf(JSON.stringify(answer))).toMatchObject({ isCounted: true, completionTokens: 2 });
  });

  it('takes what is no JSON for nothing said', async () => {
    expect(await countsOf('<html>')).toMatchObject({ isCounted: true, completionTokens: 0 });
  });
});
