import { setTimeout as delay } from 'node:timers/promises';
import { ADMIN_KEY } from './fixture.js';

export interface Answer {
  status: number;
  headers: Headers;
  body: any;
}

/** Sends one request. Throws network errors. */
export async function request(
  url: string,
  method: string,
  path: string,
  {
    body,
    headers = {},
    timeoutMs = 30_000,
  }: { body?: unknown; headers?: Record<string, string>; timeoutMs?: number } = {},
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'X-Api-Key': ADMIN_KEY,
      ...(body === undefined || body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

const RETRY_MS = 150;

/** Callers that retry until they are answered, as docs/guarantees.md asks of clients. */
export class RetryingClient {
  /** Number of answers by HTTP status, and `refused` for broken connections and timeouts. */
  readonly statuses: Record<string, number> = {};
  /** Answers that no caller may receive. */
  readonly faults: string[] = [];
  #nextUrl = 0;

  constructor(
    private readonly urls: () => string[],
    private readonly apiKey = ADMIN_KEY,
  ) {}

  /**
   * Retries on network errors, 429, 503, and 409, which a repeated idempotency key gets while its first request is in
   * progress. Resolves with the first other answer.
   */
  async send(method: string, path: string, body: unknown, key?: string, timeoutMs = 180_000): Promise<Answer> {
    const until = Date.now() + timeoutMs;
    for (;;) {
      const answer = await this.#try(method, path, body, key);
      if (answer && answer.status !== 503 && answer.status !== 409 && answer.status !== 429) return answer;
      if (Date.now() > until) throw new Error(`no answer within ${timeoutMs} ms, the last was ${answer?.status}`);
      await delay(RETRY_MS);
    }
  }

  /** Sends one request. Returns undefined when the connection broke, or when no process is ready. */
  sendOnce(method: string, path: string, body: unknown): Promise<Answer | undefined> {
    return this.#try(method, path, body, undefined);
  }

  async #try(method: string, path: string, body: unknown, key: string | undefined): Promise<Answer | undefined> {
    const urls = this.urls();
    const url = urls[this.#nextUrl++ % Math.max(1, urls.length)];
    if (url === undefined) return undefined;
    const headers: Record<string, string> = { 'X-Api-Key': this.apiKey };
    if (key !== undefined) headers['Idempotency-Key'] = key;
    try {
      const answer = await request(url, method, path, { body, headers });
      this.#count(String(answer.status));
      if (answer.status >= 500 && answer.status !== 503)
        this.faults.push(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      if (answer.status === 503 && !(Number(answer.headers.get('retry-after')) > 0))
        this.faults.push(`${method} ${path} was answered 503 without Retry-After`);
      return answer;
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') this.faults.push(`${method} ${path} hung`);
      this.#count('refused');
      return undefined;
    }
  }

  #count(description: string): void {
    this.statuses[description] = (this.statuses[description] ?? 0) + 1;
  }
}
