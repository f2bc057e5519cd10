import { setTimeout as delay } from 'node:timers/promises';
import { request } from './client.js';

const INTERVAL_MS = 60;
/** Maximum time in milliseconds until a response, including refusals. */
const MAX_ANSWER_MS = 5_000;

/**
 * Repeatedly sends a REST and a GraphQL request that need the database. Counts the responses, and records as faults those
 * that are neither a success nor a 503 with Retry-After, and those that take longer than `maxAnswerMs`.
 */
export class Probes {
  readonly counts: Record<string, number> = {};
  readonly faults: string[] = [];
  longestMs = 0;
  /** Start of the last request that succeeded, in milliseconds since the epoch. */
  #lastSuccessAt = 0;
  #isFinished = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly urls: () => string[],
    private readonly maxAnswerMs = MAX_ANSWER_MS,
  ) {}

  start(): void {
    this.#work = Promise.all([this.#loop(url => this.#rest(url)), this.#loop(url => this.#graphql(url))]);
  }

  async stop(): Promise<void> {
    this.#isFinished = true;
    await this.#work;
  }

  /**
   * Returns the milliseconds from `since` until a request that was sent later has succeeded; null: none within `timeoutMs`.
   */
  async firstSuccess(since: number, timeoutMs: number): Promise<number | null> {
    while (Date.now() - since < timeoutMs) {
      if (this.#lastSuccessAt > since) return Date.now() - since;
      await delay(5);
    }
    return null;
  }

  async #loop(probe: (url: string) => Promise<void>): Promise<void> {
    for (let count = 0; !this.#isFinished; count++) {
      const urls = this.urls();
      const url = urls[count % Math.max(1, urls.length)];
      if (url !== undefined) await probe(url);
      await delay(INTERVAL_MS);
    }
  }

  #rest(url: string): Promise<void> {
    return this.#probe('REST', async () => {
      const { status, headers, body } = await request(url, 'GET', '/api/v1/projects/?size=1');
      if (status === 503 && !(Number(headers.get('retry-after')) > 0))
        this.faults.push('REST: 503 without Retry-After');
      if (status !== 200 && status !== 503) this.faults.push(`REST: ${status} ${JSON.stringify(body)}`);
      return String(status);
    });
  }

  #graphql(url: string): Promise<void> {
    return this.#probe('GraphQL', async () => {
      const answer = await request(url, 'POST', '/graphql', { body: { query: '{ projects(size: 1) { total } }' } });
      const code = answer.body?.errors?.[0]?.extensions?.code ?? (answer.body?.code as string | undefined);
      if (answer.status === 200 && code === undefined) return '200';
      const isRefusal = code === 'UNAVAILABLE' || code === 'unavailable';
      if (!isRefusal) this.faults.push(`GraphQL: ${answer.status} ${JSON.stringify(answer.body)}`);
      if (answer.status === 503 && !(Number(answer.headers.get('retry-after')) > 0))
        this.faults.push('GraphQL: 503 without Retry-After');
      return '503';
    });
  }

  async #probe(protocol: string, probe: () => Promise<string>): Promise<void> {
    const startedAt = Date.now();
    let outcome: string;
    try {
      outcome = await probe();
    } catch (error) {
      outcome = 'broken';
      this.faults.push(`${protocol}: ${String((error as Error).cause ?? error)}`);
    }
    const tookMs = Date.now() - startedAt;
    this.longestMs = Math.max(this.longestMs, tookMs);
    if (tookMs > this.maxAnswerMs) this.faults.push(`${protocol}: answered ${outcome} after ${tookMs} ms`);
    if (outcome === '200') this.#lastSuccessAt = Math.max(this.#lastSuccessAt, startedAt);
    this.counts[`${protocol} ${outcome}`] = (this.counts[`${protocol} ${outcome}`] ?? 0) + 1;
  }
}
