import type { TestService } from '../support/service.js';

export interface Bytes {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** The bytes of an answer, without the parts that differ for each request: the time, and the request’s id. */
export async function bytesOf(
  service: TestService,
  method: string,
  path: string,
  { key, body }: { key: string; body?: unknown },
): Promise<Bytes> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { 'X-Api-Key': key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const { date: _date, 'x-request-id': _id, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, text: await response.text() };
}
