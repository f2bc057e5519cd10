import OpenAI from 'openai';
import type { TestService } from '../../support/service.js';

type ServiceAccess = Pick<TestService, 'url' | 'key'>;

/** The official client of a service, without retries. */
export function clientOf({ url, key }: ServiceAccess, more: object = {}): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0, ...more });
}

/** Sends a body to a service without changes. */
export function postChat(
  { url, key }: ServiceAccess,
  body: string | object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Returns the error of a call, or undefined if the call succeeds. */
export async function failureOf(call: Promise<unknown>): Promise<any> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}
