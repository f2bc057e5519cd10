import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createOutbound, type Outbound } from '../../../src/platform/outbound/outbound.js';
import { createLanguageModels, type LanguageModels } from '../../../src/providers/llm/registry.js';
import { type ChatUpstream, json, startChatUpstream } from '../../support/upstreams/chat-upstream.js';

const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };

let upstream: ChatUpstream;
let outbound: Outbound;
let models: LanguageModels;
beforeAll(async () => {
  upstream = await startChatUpstream();
  outbound = createOutbound({ allow: [], trusted: true });
  models = createLanguageModels({
    anthropic: { baseUrl: `${upstream.origin}/a`, apiKey: 'sk-anthropic' },
    gemini: { baseUrl: `${upstream.origin}/g/v1beta`, apiKey: 'gemini-key' },
    outbound,
  });
});
afterAll(async () => {
  await outbound?.close();
  await upstream?.stop();
});

/** Sends a conversation whose last message is the result of a tool with these content parts. */
async function sendResult(model: string, content: object[]): Promise<void> {
  const call = { id: 'c1', type: 'function', function: { name: 'draw', arguments: '{}' } };
  const value = {
    model,
    messages: [
      { role: 'user', content: 'Draw.' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content },
    ],
  };
  const route = models.route(model)!;
  const request = { text: JSON.stringify(value), value: value as never };
  await route.provider.chat(route.model, request, new AbortController().signal, 1);
}

it('Anthropic receives images in the result of a tool', async () => {
  const content = [{ type: 'text', text: 'Done.' }];
  const usage = { input_tokens: 1, output_tokens: 1 };
  upstream.respondWith(json({ id: 'm', type: 'message', role: 'assistant', content, stop_reason: 'end_turn', usage }));
  await sendResult('claude-sonnet-4-5', [{ type: 'text', text: 'A chart.' }, IMAGE]);
  expect(upstream.requests[0]?.body.messages.at(-1).content).toMatchObject([
    {
      type: 'tool_result',
      tool_use_id: 'c1',
      content: [
        { type: 'text', text: 'A chart.' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      ],
    },
  ]);
});

it('Gemini cannot express an image in the result of a tool', async () => {
  const refusal = { name: 'UnsupportedChatError', param: 'messages[2].content[0]' };
  await expect(sendResult('gemini-2.5-flash', [IMAGE])).rejects.toMatchObject(refusal);
});
