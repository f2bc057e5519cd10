import { setTimeout as delay } from 'node:timers/promises';
import { ADMIN_KEY } from './ground.js';

export interface Answer {
  status: number;
  headers: Headers;
  body: any;
}

/** One request; throws what the network throws. */
export async function request(
  url: string,
  method: string,
  path: string,
  {
    body,
    headers = {},
    withinMs = 30_000,
  }: { body?: unknown; headers?: Record<string, string>; withinMs?: number } = {},
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'X-Api-Key': ADMIN_KEY,
      ...(body === undefined || body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(withinMs),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

const RETRY_MS = 150;

/** Callers that try again until they are answered, as the guarantees tell them to. */
export class RetryingClient {
  /** Answers by HTTP status, and `refused` for connections that broke. */
  readonly statuses: Record<string, number> = {};
  /** What no caller may ever hear. */
  readonly faults: string[] = [];
  #turn = 0;

  constructor(
    private readonly urls: () => string[],
    private readonly apiKey = ADMIN_KEY,
  ) {}

  /** Resolves with the answer that is neither a fault of the moment nor one of the network. */
  async send(method: string, path: string, body: unknown, key?: string, patienceMs = 180_000): Promise<Answer> {
    const until = Date.now() + patienceMs;
    for (;;) {
      const answer = await this.#try(method, path, body, key);
      if (answer && answer.status !== 503 && answer.status !== 409 && answer.status !== 429) return answer;
      if (Date.now() > until) throw new Error(`no answer within ${patienceMs} ms, the last was ${answer?.status}`);
      await delay(RETRY_MS);
    }
  }

  /** One request; undefined when the connection broke. */
  sendOnce(method: string, path: string, body: unknown): Promise<Answer | undefined> {
    return this.#try(method, path, body, undefined);
  }

  async #try(method: string, path: string, body: unknown, key: string | undefined): Promise<Answer | undefined> {
    const urls = this.urls();
    const url = urls[this.#turn++ % Math.max(1, urls.length)];
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

  #count(what: string): void {
    this.statuses[what] = (this.statuses[what] ?? 0) + 1;
  }
}
