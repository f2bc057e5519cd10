import { describe, expect, it } from '@jest/globals';
import { PortError } from '../../../src/engine/ports.js';
import { ChatRelay } from '../../../src/modules/chat/chat-relay.js';
import { TimeLimit } from '../../../src/modules/chat/time-limit.js';
import type { Route } from '../../../src/providers/llm/model-router.js';
import type { ChatReply, Provider, ProxyRequest } from '../../../src/providers/llm/provider.js';

const request = { text: '{}', value: {} } as unknown as ProxyRequest;
const TIMEOUT_MS = 60_000;

const reply = (status: number, headers: Record<string, string> = {}): ChatReply => ({
  ...{ status, headers, body: Buffer.from('{}') },
});

/** Calls routes that give these answers in turn. Returns the status, or the message of the error, and the called models. */
async function relay(routes: Record<string, (ChatReply | Error)[]>, retries: number) {
  const called: string[] = [];
  const provider = {
    chat: async (model: string) => {
      called.push(model);
      const answer = routes[model]!.shift()!;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  } as unknown as Provider;
  const limit = new TimeLimit(new AbortController().signal, TIMEOUT_MS, new AbortController());
  const all = Object.keys(routes).map((model): Route => ({ provider, model }));
  try {
    const answer = await new ChatRelay({ timeoutMs: TIMEOUT_MS, idleMs: TIMEOUT_MS, retries }).relay(
      all,
      request,
      limit,
      1,
    );
    return { outcome: answer.reply.status, called };
  } catch (error) {
    return { outcome: (error as Error).message, called };
  } finally {
    limit.release();
  }
}

const busy = (headers: Record<string, string>) => reply(429, headers);
const soon = { 'retry-after-ms': '1' };
const failed = new PortError('upstream_unreachable', 'unreachable');

describe('a chat call', () => {
  it('is retried after the delay that the provider asks for', async () => {
    expect(await relay({ a: [busy(soon), reply(503, soon), reply(200)] }, 2)).toEqual({
      outcome: 200,
      called: ['a', 'a', 'a'],
    });
  });

  it.each(['61', '9999999999'])('returns a response whose delay of %s s exceeds the remaining time', async seconds => {
    expect(await relay({ a: [busy({ 'retry-after': seconds })] }, 2)).toEqual({ outcome: 429, called: ['a'] });
  });

  it('uses the next route if the delay exceeds the remaining time', async () => {
    expect(await relay({ a: [busy({ 'retry-after': '61' })], b: [reply(200)] }, 2)).toEqual({
      outcome: 200,
      called: ['a', 'b'],
    });
  });

  it('uses the next route without a delay after the last retry', async () => {
    const long = { 'retry-after': '50' };
    expect(await relay({ a: [busy(long)], b: [failed], c: [busy(long)] }, 0)).toEqual({
      outcome: 429,
      called: ['a', 'b', 'c'],
    });
  });

  it('fails with the last error if no route responds', async () => {
    expect(await relay({ a: [busy(soon), failed], b: [busy(soon), failed] }, 1)).toEqual({
      outcome: 'unreachable',
      called: ['a', 'a', 'b', 'b'],
    });
  });

  it('is not repeated after a permanent failure', async () => {
    expect(await relay({ a: [reply(400)], b: [reply(200)] }, 2)).toEqual({ outcome: 400, called: ['a'] });
  });
});
