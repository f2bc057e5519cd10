import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { startTestService, type TestService } from '../../support/service.js';
import { type ChatUpstream, startChatUpstream } from '../../support/upstreams/chat-upstream.js';

export interface ModelService {
  service: TestService;
  /**
   * Base URL of all providers. Their calls differ by path: `/v1/…` is OpenAI, `/anthropic/v1/…` Anthropic,
   * `/g/v1beta/…` Gemini.
   */
  upstream: ChatUpstream;
  stop(): Promise<void>;
}

/** A service whose providers are one upstream on loopback. */
export async function startModelService(): Promise<ModelService> {
  const upstream = await startChatUpstream();
  const service = await startTestService({
    role: 'api',
    openai: { baseUrl: `${upstream.origin}/v1`, apiKey: 'sk-service-0123456789' },
    anthropic: { baseUrl: `${upstream.origin}/anthropic`, apiKey: 'sk-ant-service-0123456789' },
    gemini: { baseUrl: `${upstream.origin}/g`, apiKey: 'gemini-service-0123456789' },
  });
  return {
    service,
    upstream,
    async stop() {
      await service.stop();
      await upstream.stop();
    },
  };
}

type ServiceAccess = Pick<TestService, 'url' | 'key'>;

/** The official client of OpenAI, without retries. */
export function openaiOf({ url, key }: ServiceAccess, more: object = {}): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0, ...more });
}

/** The official client of Anthropic, without retries. It sends the key in `x-api-key`. */
export function anthropicOf({ url, key }: ServiceAccess, more: object = {}): Anthropic {
  return new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0, ...more });
}

/** Returns the error of a call, or undefined if the call succeeds. */
export function failureOf(call: Promise<unknown>): Promise<any> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}
