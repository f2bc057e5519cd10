import { expect, test } from '@jest/globals';
import { anthropic } from '../../../src/providers/llm/anthropic/index.js';
import { chatRequest } from '../../../src/providers/llm/chat/model-answer.js';
import { estimatePromptTokens } from '../../../src/providers/llm/estimate-tokens.js';
import { gemini } from '../../../src/providers/llm/gemini/index.js';

const messages = [{ role: 'user', content: 'See', images: ['data:image/png;base64,AA=='] }];
const request = chatRequest('m', { messages, settings: { max_tokens: 5 } });

test('images follow the text of a message in the format of each provider', () => {
  expect(request.value.messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
      ],
    },
  ]);
  for (const protocol of [anthropic, gemini]) {
    const body = String(protocol.buildRequest('m', request).body);
    expect(body).toMatch(/"See".*"image\/png".*"AA=="/);
  }
});

test('an estimate counts 2,000 tokens for each image', () => {
  expect(estimatePromptTokens(messages)).toBe(2_001);
});
