import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ModelRequest } from '../../../src/engine/ports.js';
import { createOutbound, type Outbound } from '../../../src/platform/outbound/outbound.js';
import { MappedStream } from '../../../src/platform/streams/mapped-stream.js';
import { withModel } from '../../../src/providers/llm/chat/model-member.js';
import { EventReader } from '../../../src/providers/llm/chat/sse.js';
import { KeyMask } from '../../../src/providers/llm/key-mask.js';
import { createLanguageModels } from '../../../src/providers/llm/registry.js';
import {
  type ChatUpstream,
  completion,
  json,
  type Responder,
  startChatUpstream,
} from '../../support/upstreams/chat-upstream.js';

let upstream: ChatUpstream;
let outbound: Outbound;
beforeAll(async () => {
  upstream = await startChatUpstream();
  outbound = createOutbound({ allow: [], trusted: true });
});
afterAll(async () => {
  await outbound?.close();
  await upstream?.stop();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

const request: ModelRequest = { messages: [{ role: 'user', content: 'Hello?' }], settings: { model_name: 'm' } };
const modelsOf = (more: object) =>
  createLanguageModels({
    openai: { baseUrl: `${upstream.origin}/v1`, apiKey: 'sk-0123456789abcdef' },
    outbound,
    ...more,
  });
const call = () => ({ signal: AbortSignal.timeout(100_000), idempotencyKey: 'k' });

/** Answers the n-th request by the n-th of these, and all further ones by the last. */
function respondInOrder(...responders: Responder[]): void {
  upstream.respondWith((response, received) =>
    responders[Math.min(upstream.requests.length, responders.length) - 1]!(response, received),
  );
}
const refused = (status: number, headers: Record<string, string> = {}) =>
  json({ error: { message: 'no' } }, status, headers);

describe('a provider with a temporary refusal', () => {
  const retry = { tries: 3, baseMs: 1 };

  it.each([429, 500, 502, 503, 529])('with %i is called again, under the same key', async status => {
    respondInOrder(refused(status), refused(status), json(completion()));
    expect((await modelsOf({ retry }).complete(request, call())).text).toBe('Hi.');
    expect(upstream.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['k', 'k', 'k']);
  });

  it('is called at most `tries` times', async () => {
    respondInOrder(refused(503));
    await expect(modelsOf({ retry }).complete(request, call())).rejects.toMatchObject({ code: 'upstream_error' });
    expect(upstream.requests).toHaveLength(3);
  });

  it('is called again after its Retry-After, and not at all if that is too long', async () => {
    respondInOrder(refused(429, { 'retry-after': '1' }), json(completion()));
    const began = performance.now();
    await modelsOf({ retry }).complete(request, call());
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
    respondInOrder(refused(429, { 'retry-after': '3600' }));
    await expect(modelsOf({ retry }).complete(request, call())).rejects.toMatchObject({
      code: 'rate_limited_upstream',
    });
    expect(upstream.requests).toHaveLength(3);
  });

  it('is not called again after a permanent refusal', async () => {
    respondInOrder(refused(400));
    await expect(modelsOf({ retry }).complete(request, call())).rejects.toMatchObject({ code: 'upstream_error' });
    expect(upstream.requests).toHaveLength(1);
  });

  it('does not delay the end of a cancelled run by its Retry-After', async () => {
    respondInOrder(refused(429, { 'retry-after': '30' }));
    const controller = new AbortController();
    const answer = modelsOf({ retry }).complete(request, { signal: controller.signal, idempotencyKey: 'k' });
    setTimeout(() => controller.abort(new Error('cancelled')), 50);
    await expect(answer).rejects.toThrow('cancelled');
  });
});

it('a provider receives no more simultaneous calls than are allowed', async () => {
  let [active, maxActive] = [0, 0];
  upstream.respondWith(async (response, received) => {
    maxActive = Math.max(maxActive, ++active);
    await new Promise(resolve => setTimeout(resolve, 10));
    active--;
    json(completion())(response, received);
  });
  const models = modelsOf({ concurrency: 2 });
  const controller = new AbortController();
  const calls = Array.from({ length: 6 }, () => models.complete(request, call()));
  const cancelled = models.complete(request, { signal: controller.signal, idempotencyKey: 'k' });
  controller.abort(new Error('cancelled'));
  await expect(cancelled).rejects.toThrow('cancelled');
  await Promise.all(calls);
  expect([maxActive, upstream.requests.length]).toEqual([2, 6]);
});

describe('a key in a byte stream', () => {
  const key = 'sk-0123456789abcdef';
  const passed = async (...chunks: string[]) => {
    const source = Readable.from(chunks.map(chunk => Buffer.from(chunk)));
    const masked = await new MappedStream(source, new KeyMask(key)).toArray();
    return masked.map(String);
  };

  it('is masked wherever the bytes are split', async () => {
    const text = `a ${key} b ${key}${key} c sk-0123`;
    for (let at = 0; at <= text.length; at++)
      expect((await passed(text.slice(0, at), text.slice(at))).join('')).toBe(
        'a ******** b **************** c sk-0123',
      );
  });

  it('holds nothing back that cannot be its beginning', () => {
    const mask = new KeyMask(key);
    expect(['data: sk-\n\n', 'x sk-01'].map(chunk => String(mask.map(Buffer.from(chunk))))).toEqual([
      'data: sk-\n\n',
      'x ',
    ]);
    expect(String(mask.end())).toBe('sk-01');
  });
});

it('events are parsed wherever their bytes are split', () => {
  const bytes = Buffer.from(': c\ndata: {"a":"é"}\r\n\r\nevent: x\ndata:one\ndata: two\n\nid: 1\n\ndata: last');
  for (let at = 0; at <= bytes.length; at++) {
    const reader = new EventReader();
    const read = [...reader.push(bytes.subarray(0, at)), ...reader.push(bytes.subarray(at)), ...reader.end()];
    expect(read).toEqual(['{"a":"é"}', 'one\ntwo', 'last']);
  }
});

it.each([
  ['{"model":"a/b","x":1.0}', '{"model":"b","x":1.0}'],
  [
    '{"x":{"model":"a/b"},"y":["model","a/b"],\n"model" :\t"a/b"}',
    '{"x":{"model":"a/b"},"y":["model","a/b"],\n"model" :\t"b"}',
  ],
  ['{"model":"z","mod\\u0065l":"a/b"}', '{"model":"z","mod\\u0065l":"b"}'],
  ['{"a":"model","b":"\\"model\\":","model":"a/b"}', '{"a":"model","b":"\\"model\\":","model":"b"}'],
])('of %s only the model is changed', (text, expected) => {
  expect(withModel({ text, value: JSON.parse(text) }, 'b')).toBe(expected);
});
