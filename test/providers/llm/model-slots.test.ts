import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ModelRequest } from '../../../src/engine/ports.js';
import { SlotGauge } from '../../../src/platform/metrics/slot-gauge.js';
import { createOutbound, type Outbound } from '../../../src/platform/outbound/outbound.js';
import { createLanguageModels } from '../../../src/providers/llm/registry.js';
import { eventually } from '../../support/eventually.js';
import {
  type ChatUpstream,
  completion,
  eventOf,
  json,
  startChatUpstream,
} from '../../support/upstreams/chat-upstream.js';

let upstream: ChatUpstream;
let outbound: Outbound;
/** Responses to requests with the text `slow`, which the upstream sends only when `answerOpen` is called. */
let open: ServerResponse[] = [];
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
  open = [];
  upstream.respondWith((response, received) => {
    if (received.text.includes('slow')) open.push(response);
    else json(completion())(response, received);
  });
});

const answerOpen = () => {
  for (const response of open.splice(0))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion()));
};
const modelsOf = (more: object) =>
  createLanguageModels({
    openai: { baseUrl: `${upstream.origin}/v1`, apiKey: 'sk-0123456789abcdef' },
    outbound,
    ...more,
  });
const requestOf = (content: string): ModelRequest => ({
  messages: [{ role: 'user', content }],
  settings: { model_name: 'm' },
});
const call = (signal: AbortSignal = new AbortController().signal) => ({ signal, idempotencyKey: 'k' });
const [SLOW, OTHER] = [1, 2];

describe('calls of nodes and messages', () => {
  it('of one project leave slots to others, which wait only for their own turn', async () => {
    const models = modelsOf({ concurrency: 4 });
    const slowCalls = Array.from({ length: 20 }, () => models.complete(requestOf('slow'), call(), SLOW));
    await eventually(
      async () => open.length,
      count => count === 3,
    );
    for (let round = 0; round < 3; round++)
      expect((await models.complete(requestOf('quick'), call(), OTHER)).text).toBe('Hi.');
    expect(open.length).toBe(3);
    let left = slowCalls.length;
    for (const one of slowCalls) void one.then(() => left--);
    await eventually(
      async () => {
        answerOpen();
        return left;
      },
      count => count === 0,
    );
  });

  it('wait as the caller specifies, and hold no slot when that wait fails', async () => {
    const models = modelsOf({ concurrency: 1 });
    const waits: Promise<unknown>[] = [];
    const waiting = {
      ...call(),
      waitFor: <T>(turn: Promise<T>) => {
        waits.push(turn);
        return turn;
      },
    };
    const holder = models.complete(requestOf('slow'), waiting, SLOW);
    await eventually(
      async () => open.length,
      count => count === 1,
    );
    expect(waits).toEqual([]);
    const lost = models.complete(
      requestOf('quick'),
      { ...call(), waitFor: () => Promise.reject(new Error('lease lost')) },
      OTHER,
    );
    await expect(lost).rejects.toThrow('lease lost');
    const next = models.complete(requestOf('quick'), waiting, OTHER);
    await eventually(
      async () => waits.length,
      count => count === 1,
    );
    answerOpen();
    await Promise.all([holder, next]);
    expect((await models.complete(requestOf('quick'), waiting, OTHER)).text).toBe('Hi.');
    expect(waits.length).toBe(1);
  });
});

describe('completions of the chat proxy', () => {
  const complete = (models: ReturnType<typeof modelsOf>, content: string, caller: number, more: object = {}) => {
    const route = models.route('m')!;
    const value = { model: 'm', messages: [{ role: 'user', content }], ...more };
    const request = { text: JSON.stringify(value), value } as Parameters<typeof route.provider.chat>[1];
    return route.provider.chat('m', request, new AbortController().signal, caller);
  };

  it('of one caller leave a quarter to others, and are refused when too many wait', async () => {
    const models = modelsOf({ chatConcurrency: 16 });
    const slowCalls = Array.from({ length: 14 }, () => complete(models, 'slow', SLOW));
    await eventually(
      async () => open.length,
      count => count === 12,
    );
    await expect(complete(models, 'slow', SLOW)).rejects.toMatchObject({ code: 'provider_busy' });
    expect((await complete(models, 'quick', OTHER)).status).toBe(200);
    answerOpen();
    await eventually(
      async () => open.length,
      count => count === 2,
    );
    answerOpen();
    for (const { status } of await Promise.all(slowCalls)) expect(status).toBe(200);
  });

  it('hold their slot until the stream ends, the client closes it or the upstream breaks it off', async () => {
    const gauge = new SlotGauge('chat');
    const models = modelsOf({ chatConcurrency: 1, gauges: { model: new SlotGauge('model'), chat: gauge } });
    const streams: ServerResponse[] = [];
    upstream.respondWith(response => {
      streams.push(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(eventOf({ choices: [] }));
    });
    for (const end of ['ends', 'is left', 'breaks off']) {
      const reply = await complete(models, 'hello', SLOW, { stream: true });
      const body = reply.body as import('node:stream').Readable;
      const next = complete(models, 'hello', OTHER, { stream: true });
      await eventually(
        async () => [...gauge.queues].map(({ waiting }) => waiting),
        counts => counts.length === 1 && counts[0] === 1,
      );
      body.on('error', () => {}).resume();
      if (end === 'ends') streams.at(-1)!.end();
      else if (end === 'is left') body.destroy();
      else streams.at(-1)!.destroy();
      const after = (await next).body as import('node:stream').Readable;
      after.on('error', () => {}).destroy();
    }
  });

  it('release their slot when the upstream cannot be reached', async () => {
    const models = createLanguageModels({ openai: { baseUrl: 'http://127.0.0.1:1/v1' }, outbound, chatConcurrency: 1 });
    for (let round = 0; round < 3; round++)
      await expect(complete(models, 'x', SLOW)).rejects.toMatchObject({ code: 'upstream_unreachable' });
  });
});
