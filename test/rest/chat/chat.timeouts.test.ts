import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { InternalServerError, type OpenAI } from 'openai';
import { startTestService, type TestService } from '../../support/service.js';
import { type ChatUpstream, chunk, eventOf, startChatUpstream } from '../../support/upstreams/chat-upstream.js';
import { clientOf, failureOf, postChat } from './chat-client.js';

let service: TestService;
let impatient: TestService;
let upstream: ChatUpstream;

const messages = [{ role: 'user' as const, content: 'Hello?' }];

const ask = (client: OpenAI) => failureOf(client.chat.completions.create({ model: 'gpt-4o-mini', messages }));

beforeAll(async () => {
  upstream = await startChatUpstream();
  const openai = { baseUrl: `${upstream.origin}/v1`, apiKey: 'sk-service-0123456789' };
  service = await startTestService({ role: 'api', openai, chatIdleMs: 300 });
  // Longer than a busy machine takes until the request arrives.
  impatient = await startTestService({ role: 'api', openai, chatTimeoutMs: 6_000 });
});
afterAll(async () => {
  await service?.stop();
  await impatient?.stop();
  await upstream?.stop();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

it('a stream without further data is ended with an error', async () => {
  upstream.respondWith(response =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(eventOf(chunk({ content: 'a' }))),
  );
  const text = await (await postChat(service, { model: 'gpt-4o-mini', messages, stream: true })).text();
  expect(text).toContain('upstream_broke_off');
});

it('the official client receives the timeout error once', async () => {
  upstream.respondWith(() => {});
  const error = await ask(clientOf(impatient, { maxRetries: 2 }));
  expect(error).toBeInstanceOf(InternalServerError);
  expect([error.status, error.code]).toEqual([500, 'timeout']);
  expect(upstream.requests).toHaveLength(1);
  upstream.respondWith(response => response.writeHead(200, { 'content-type': 'application/json' }).write('{'));
  expect((await ask(clientOf(impatient))).code).toBe('timeout');
});
