import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { testConfig } from '../../support/config.js';
import { eventually } from '../../support/eventually.js';
import { createDatabase, startTestService, type TestService } from '../../support/service.js';
import { createLedgerRefusals } from '../../support/transactions/refused-writes.js';
import { type ChatUpstream, completion, json, startChatUpstream } from '../../support/upstreams/chat-upstream.js';

const PRICE = '0.00045';
export const WAITING = 'scenarium_ledger_spool_bytes{state="waiting"}';
export const REFUSED = 'scenarium_ledger_spool_bytes{state="refused"}';

let service: TestService;
let upstream: ChatUpstream;

/** The service of the current test. Its database refuses rows of the ledger while a test says so. */
export const ledgerService = () => service;

async function start(database: string): Promise<void> {
  const openai = { baseUrl: `${upstream.origin}/v1`, apiKey: 'sk-service-0123456789' };
  service = await startTestService({ role: 'api', openai }, database);
}

/** Starts a service with a new database for each test of the file. */
export function startLedgerServices(): void {
  beforeAll(async () => {
    upstream = await startChatUpstream();
    upstream.respondWith(json(completion()));
  });
  beforeEach(async () => {
    await start(await createDatabase());
    await createLedgerRefusals(service);
  });
  afterEach(async () => {
    await service?.stop();
    await rm(testConfig(service.database).dataDir, { recursive: true, force: true });
  });
  afterAll(() => upstream?.stop());
}

/** From now on, the database refuses rows of the ledger with the code, a SQLSTATE. */
export const refuse = (code: string) => service.sql('insert into refusal values ($1)', [code]);
export const accept = () => service.sql('truncate refusal');
export const restart = async () => {
  await service.stop();
  await start(service.database);
};

/** Completes a chat this many times. Each answer costs the same. */
export async function complete(times: number, key = service.key): Promise<void> {
  const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello.' }] });
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  for (let nth = 0; nth < times; nth++) {
    const answer = await fetch(`${service.url}/v1/chat/completions`, { method: 'POST', body, headers });
    expect(answer.status).toBe(200);
    await answer.text();
  }
}

export const rows = async () =>
  (
    await service.sql<{ rows: number; ids: number; usd: string }>(
      `select count(*)::int as rows, count(distinct run_id)::int as ids, coalesce(sum(amount_usd), 0)::text as usd from billing_transaction`,
    )
  )[0]!;
/** Waits until the ledger has this many rows, of as many runs. */
export const written = (count: number) =>
  eventually(rows, found => found.rows >= count, { withinMs: 60_000 }).then(found =>
    expect(found).toEqual({ rows: count, ids: count, usd: (count * Number(PRICE)).toFixed(5) }),
  );

export async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (.*)$`, 'm').exec(text)?.[1]);
}

/** Waits until the spool has all answers. */
export const spooled = async () => {
  await eventually(
    () => metric(WAITING),
    bytes => bytes > 0,
  );
  await eventually(
    () => metric('scenarium_ledger_waiting'),
    entries => entries === 0,
  );
};
