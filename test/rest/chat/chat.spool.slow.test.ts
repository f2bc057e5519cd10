import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { cli } from '../../cli/entry.js';
import { testConfig, testEnvironment } from '../../support/config.js';
import { eventually } from '../../support/eventually.js';
import { createDatabase, startTestService, type TestService } from '../../support/service.js';
import { type ChatUpstream, completion, json, startChatUpstream } from '../../support/upstreams/chat-upstream.js';

let service: TestService;
let upstream: ChatUpstream;
let database: string;

const PRICE = '0.00045';

async function start(): Promise<void> {
  const openai = { baseUrl: `${upstream.origin}/v1`, apiKey: 'sk-service-0123456789' };
  service = await startTestService({ role: 'api', openai }, database);
}

beforeAll(async () => {
  upstream = await startChatUpstream();
  upstream.respondWith(json(completion()));
});
beforeEach(async () => {
  database = await createDatabase();
  await start();
  await service.sql('create table refusal (code text)');
  await service.sql(`
    create function refuse() returns trigger language plpgsql as $$
    declare refused text := (select code from refusal limit 1);
    begin
      if refused is not null then raise exception 'refused by a test' using errcode = refused; end if;
      return null;
    end $$`);
  await service.sql(
    'create trigger refuse before insert on billing_transaction for each statement execute function refuse()',
  );
});
afterEach(async () => {
  await service?.stop();
  await rm(testConfig(database).dataDir, { recursive: true, force: true });
});
afterAll(() => upstream?.stop());

const refuse = (code: string) => service.sql('insert into refusal values ($1)', [code]);
const accept = () => service.sql('truncate refusal');
const restart = async () => {
  await service.stop();
  await start();
};

async function complete(times: number, key = service.key): Promise<void> {
  const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello.' }] });
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  for (let nth = 0; nth < times; nth++) {
    const answer = await fetch(`${service.url}/v1/chat/completions`, { method: 'POST', body, headers });
    expect(answer.status).toBe(200);
    await answer.text();
  }
}

const rows = async () =>
  (
    await service.sql<{ rows: number; ids: number; usd: string }>(
      `select count(*)::int as rows, count(distinct run_id)::int as ids, coalesce(sum(amount_usd), 0)::text as usd from billing_transaction`,
    )
  )[0]!;
const written = (count: number) =>
  eventually(rows, found => found.rows >= count, { withinMs: 60_000 }).then(found =>
    expect(found).toEqual({ rows: count, ids: count, usd: (count * Number(PRICE)).toFixed(5) }),
  );

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (.*)$`, 'm').exec(text)?.[1]);
}
const WAITING = 'scenarium_ledger_spool_bytes{state="waiting"}';
const REFUSED = 'scenarium_ledger_spool_bytes{state="refused"}';

/** Waits until the spool has all answers. */
const spooled = async () => {
  await eventually(
    () => metric(WAITING),
    bytes => bytes > 0,
  );
  await eventually(
    () => metric('scenarium_ledger_waiting'),
    entries => entries === 0,
  );
};

describe.each([
  ['a server that takes no writes', '25006'],
  ['a statement timeout', '57014'],
  ['a lock timeout', '55P03'],
])('%s (%s)', (_what, code) => {
  it('keeps paid answers and writes them when the database accepts them', async () => {
    await complete(1);
    await written(1);
    await refuse(code);
    await complete(20);
    await spooled();
    expect((await rows()).rows).toBe(1);
    await accept();
    await written(21);
    await eventually(
      () => metric(WAITING),
      bytes => bytes === 0,
    );
    expect(await metric('scenarium_ledger_spool_oldest_seconds')).toBe(0);
  }, 120_000);
});

it('keeps paid answers over a restart', async () => {
  await refuse('25006');
  await complete(20);
  await service.stop();
  await start();
  expect((await rows()).rows).toBe(0);
  await complete(1);
  await accept();
  await written(21);
}, 120_000);

it('counts an answer as spent by the key, and keeps no reservation, once it is written', async () => {
  const { key } = await service.createUser('payer');
  const id = (await service.sql('select id from api_key order by id desc limit 1'))[0]?.id;
  await service.sql('update api_key set budget_usd = 1 where id = $1', [id]);
  await refuse('57014');
  await complete(3, key);
  await spooled();
  await accept();
  await written(3);
  expect(
    await service.sql('select spent_usd::float as spent, reserved_usd::float as reserved from api_key where id = $1', [
      id,
    ]),
  ).toEqual([{ spent: 0.00135, reserved: 0 }]);
}, 120_000);

it('sets aside what the database refuses permanently, and writes the rest', async () => {
  await refuse('22003');
  await complete(1);
  await eventually(
    () => metric(REFUSED),
    bytes => bytes > 0,
  );
  await eventually(
    () => metric('scenarium_ledger_waiting'),
    entries => entries === 0,
  );
  await eventually(
    () => metric(WAITING),
    bytes => bytes === 0,
  );
  await accept();
  await complete(1);
  await written(1);
  await eventually(
    () => metric(WAITING),
    bytes => bytes === 0,
  );
}, 120_000);

it('writes nothing a second time when the answer of the database was lost', async () => {
  await complete(1);
  await written(1);
  const locker = `begin; lock table billing_transaction in exclusive mode; select pg_sleep(2); commit`;
  const locked = service.sql(locker);
  await eventually(
    () =>
      service.sql(`select 1 from pg_locks where relation = 'billing_transaction'::regclass and mode = 'ExclusiveLock'`),
    found => found.length > 0,
  );
  await complete(5);
  await spooled();
  await locked;
  await written(6);
  await eventually(
    () => metric(WAITING),
    bytes => bytes === 0,
  );
  await written(6);
}, 120_000);

it('reconcile reports answers that are not on the ledger', async () => {
  await complete(20);
  await written(20);
  await restart();
  const environment = testEnvironment(database);
  expect(await cli(['reconcile'], environment)).toMatchObject({ code: 0 });
  await service.sql(`delete from billing_transaction`);
  await service.sql('update api_key set spent_usd = 0');
  await service.sql('update app_user set service_spent_usd = 0');
  expect(await cli(['reconcile'], environment)).toMatchObject({
    code: 1,
    stdout: 'chat completions of openai/gpt-4o-mini on the ledger: is 0, should be 20\n',
  });
}, 120_000);
