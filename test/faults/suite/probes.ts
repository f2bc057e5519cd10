import { setTimeout as delay } from 'node:timers/promises';
import { request } from './client.js';

const EVERY_MS = 60;
/** An answer, be it a refusal, comes within this. */
const LONGEST_MS = 5_000;

/** Asks APIs again and again what needs the database, and writes down what no caller may hear. */
export class Probes {
  readonly counts: Record<string, number> = {};
  readonly faults: string[] = [];
  longestMs = 0;
  /** When the last request began that was answered well. */
  #wellAt = 0;
  #isOver = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly urls: () => string[],
    private readonly mostMs = LONGEST_MS,
  ) {}

  start(): void {
    this.#work = Promise.all([this.#loop(url => this.#rest(url)), this.#loop(url => this.#graphql(url))]);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#work;
  }

  /** Milliseconds from `since` to the first success of a request that began after it; null: none within `patienceMs`. */
  async firstSuccess(since: number, patienceMs: number): Promise<number | null> {
    while (Date.now() - since < patienceMs) {
      if (this.#wellAt > since) return Date.now() - since;
      await delay(5);
    }
    return null;
  }

  async #loop(ask: (url: string) => Promise<void>): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      const urls = this.urls();
      const url = urls[turn % Math.max(1, urls.length)];
      if (url !== undefined) await ask(url);
      await delay(EVERY_MS);
    }
  }

  #rest(url: string): Promise<void> {
    return this.#ask('REST', async () => {
      const { status, headers, body } = await request(url, 'GET', '/api/v1/projects/?size=1');
      if (status === 503 && !(Number(headers.get('retry-after')) > 0))
        this.faults.push('REST: 503 without Retry-After');
      if (status !== 200 && status !== 503) this.faults.push(`REST: ${status} ${JSON.stringify(body)}`);
      return String(status);
    });
  }

  #graphql(url: string): Promise<void> {
    return this.#ask('GraphQL', async () => {
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

  async #ask(what: string, ask: () => Promise<string>): Promise<void> {
    const began = Date.now();
    let told: string;
    try {
      told = await ask();
    } catch (error) {
      told = 'broken';
      this.faults.push(`${what}: ${String((error as Error).cause ?? error)}`);
    }
    const tookMs = Date.now() - began;
    this.longestMs = Math.max(this.longestMs, tookMs);
    if (tookMs > this.mostMs) this.faults.push(`${what}: answered ${told} after ${tookMs} ms`);
    if (told === '200') this.#wellAt = Math.max(this.#wellAt, began);
    this.counts[`${what} ${told}`] = (this.counts[`${what} ${told}`] ?? 0) + 1;
  }
}
