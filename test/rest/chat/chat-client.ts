import OpenAI from 'openai';
import type { TestService } from '../../support/service.js';

type ServiceAccess = Pick<TestService, 'url' | 'key'>;

/** The official client of a service, without retries. */
export function clientOf({ url, key }: ServiceAccess, more: object = {}): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0, ...more });
}

/** The official client of a service with a key. Its calls belong to the project, if there is one. */
export function projectClientOf(access: ServiceAccess, projectId: number | undefined): OpenAI {
  const defaultHeaders = projectId === undefined ? {} : { 'X-Project-Id': String(projectId) };
  return clientOf(access, { defaultHeaders });
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
