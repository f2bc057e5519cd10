import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type OpenAI from 'openai';
import { KeyBudget } from '../../../src/modules/billing/budgets/key-budget.js';
import { Reconciliation } from '../../../src/modules/workflow-runs/reconciliation/reconciliation.js';
import type { Database } from '../../../src/platform/database/database.js';
import { openDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/service.js';
import { bearer, createLogin } from '../../support/sessions.js';
import {
  type ChatUpstream,
  chunk,
  completion,
  eventOf,
  json,
  startChatUpstream,
} from '../../support/upstreams/chat-upstream.js';
import { failureOf, projectClientOf } from './chat-client.js';

let service: TestService;
let upstream: ChatUpstream;
let database: Database;

/** The cost of 1,000 input and 500 output tokens, which the upstream reports. The estimate in front of a call is slightly higher. */
const PRICE = '0.00045';
const PAID_REQUEST = {
  model: 'gpt-4o-mini',
  messages: [{ role: 'user' as const, content: 'x'.repeat(4_000) }],
  max_tokens: 500,
};
const FREE_REQUEST = { model: 'echo', messages: PAID_REQUEST.messages };
const REACHED = 'The spending limit of the API key is reached. Ask an administrator of the service to raise it.';
const NOT_COVERED = 'The remaining spending limit of the API key does not cover this call.';
const SET = `mutation ($id: Int!, $limit: Decimal) { apiKeyBudgetSet(id: $id, limitUsd: $limit) { apiKey {
  id budget { limit { usd } spent { usd } reserved { usd } remaining { usd } } } } }`;

beforeAll(async () => {
  upstream = await startChatUpstream();
  service = await startTestService({
    role: 'api',
    openai: { baseUrl: `${upstream.origin}/v1`, apiKey: 'sk-service-0123456789' },
  });
  database = await openDatabase(service.database);
});
afterAll(async () => {
  await database?.close();
  await service?.stop();
  await upstream?.stop();
});
beforeEach(() => upstream.respondWith(json(completion())));

/** Creates a user with a key that has a spending limit in US dollars. */
async function createLimitedKey(
  name: string,
  limit: string | null,
): Promise<{ id: number; key: string; client: OpenAI }> {
  const { key, email } = await service.createUser(name);
  const [row] = await service.sql('select k.id from api_key k join app_user u on u.id = k.user_id where email = $1', [
    email,
  ]);
  expect((await service.graphql(SET, { id: row!.id, limit })).errors).toBeUndefined();
  return { id: row!.id, key, client: clientWith(key) };
}

const clientWith = (key: string, projectId?: number) => projectClientOf({ url: service.url, key }, projectId);

const ask = ({ client }: { client: OpenAI }, request: typeof PAID_REQUEST | typeof FREE_REQUEST = PAID_REQUEST) =>
  failureOf(client.chat.completions.create(request));

async function accountOf(id: number) {
  const [row] = await service.sql(
    `select trim_scale(spent_usd)::text as spent, trim_scale(reserved_usd)::text as reserved,
            (select count(*)::int from key_budget_reservation where api_key_id = k.id) as reservations
       from api_key k where id = $1`,
    [id],
  );
  return row;
}

/** Waits until the key has spent this amount and no call is in progress. */
const waitForAccount = (id: number, spent: string) =>
  eventually(
    () => accountOf(id),
    account => account?.spent === spent && account.reservations === 0 && account.reserved === '0',
  );

const differences = () => new Reconciliation(database).differences();

describe('the spending limit of an API key', () => {
  it('refuses with 402 calls that it does not cover, and every call once it is spent', async () => {
    const key = await createLimitedKey('spender', '0.0008');
    expect(await ask(key)).toBeUndefined();
    await waitForAccount(key.id, PRICE);
    const error = await ask(key);
    expect(error).toMatchObject({ status: 402, code: 'budget_exceeded', type: 'insufficient_quota' });
    expect(error?.message).toContain(NOT_COVERED);
    expect(await ask(key, FREE_REQUEST)).toBeUndefined();
    await service.graphql(SET, { id: key.id, limit: PRICE });
    const spent = await ask(key, FREE_REQUEST);
    expect([spent?.status, spent?.message]).toEqual([402, expect.stringContaining(REACHED)]);
    const complete = 'mutation ($request: ChatRequest!) { chatCompletionCreate(request: $request) { chatCompletion } }';
    const { errors } = await service.graphql(complete, { request: FREE_REQUEST }, key.key);
    expect(errors).toMatchObject([{ message: REACHED, extensions: { code: 'BUDGET_EXCEEDED' } }]);
    await service.graphql(SET, { id: key.id, limit: null });
    expect(await ask(key)).toBeUndefined();
    await waitForAccount(key.id, '0.0009');
    expect(await differences()).toEqual([]);
  });

  it('lets no more of a hundred simultaneous calls through than it covers', async () => {
    const key = await createLimitedKey('crowd', '0.0023');
    const held: (() => void)[] = [];
    upstream.respondWith((response, one) => held.push(() => json(completion())(response, one)));
    let refused = 0;
    const calls = Array.from({ length: 100 }, async () => {
      const error = await ask(key);
      if (error) refused++;
      return error?.status;
    });
    await eventually(
      async () => [held.length, refused],
      ([begun, rejected]) => begun! + rejected! === 100,
    );
    expect([held.length, refused]).toEqual([5, 95]);
    const { data } = await service.graphql(
      '{ apiKeys { items { budget { limit { usd } spent { usd } reserved { usd } remaining { usd } } } } }',
      {},
      key.key,
    );
    const [{ budget }] = data.apiKeys.items;
    expect(budget).toMatchObject({ limit: { usd: '0.0023' }, spent: { usd: '0' } });
    expect(Number(budget.reserved.usd) + Number(budget.remaining.usd)).toBeCloseTo(0.0023, 12);
    expect(Number(budget.reserved.usd)).toBeGreaterThanOrEqual(5 * Number(PRICE));
    expect(await differences()).toEqual([]);
    for (const answer of held) answer();
    expect((await Promise.all(calls)).filter(status => status === undefined)).toHaveLength(5);
    await waitForAccount(key.id, '0.00225');
    expect((await ask(key))?.status).toBe(402);
    expect(await differences()).toEqual([]);
  });

  it('keeps no reservation for a call that cost nothing: refused by the provider, or by the limit of the project', async () => {
    const key = await createLimitedKey('careful', '1');
    upstream.respondWith(json({ error: { message: 'no' } }, 400));
    expect((await ask(key))?.status).toBe(400);
    expect(await accountOf(key.id)).toEqual({ spent: '0', reserved: '0', reservations: 0 });
    const { id: project } = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Poor' }, key: key.key }))
      .body;
    await service.sql('update project set budget_usd = 0.0001 where id = $1', [project]);
    const error = await ask({ client: clientWith(key.key, project) });
    expect([error?.status, error?.message]).toEqual([402, expect.stringContaining('limit of the project')]);
    expect(await accountOf(key.id)).toEqual({ spent: '0', reserved: '0', reservations: 0 });
  });

  it('is charged for what a client received before it disconnected', async () => {
    const key = await createLimitedKey('leaver', '1');
    upstream.respondWith(response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(eventOf(chunk({ content: 'I am fine' })));
    });
    for await (const _ of await key.client.chat.completions.create({ ...PAID_REQUEST, stream: true })) break;
    const account = await eventually(
      () => accountOf(key.id),
      one => one?.reservations === 0,
    );
    expect(Number(account!.spent)).toBeGreaterThan(0);
    expect(account!.reserved).toBe('0');
  });

  it('is not restored by deleting the project, before the row is written or after', async () => {
    const key = await createLimitedKey('eraser', '0.0011');
    const create = async () =>
      (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Gone' }, key: key.key })).body.id as number;
    const remove = (id: number) => service.rest('DELETE', `/api/v1/projects/${id}/`, { key: key.key });
    const first = await create();
    expect(await ask({ client: clientWith(key.key, first) })).toBeUndefined();
    await waitForAccount(key.id, PRICE);
    expect((await remove(first)).status).toBe(204);
    const second = await create();
    upstream.respondWith(async (response, one) => {
      await remove(second);
      json(completion())(response, one);
    });
    expect(await ask({ client: clientWith(key.key, second) })).toBeUndefined();
    await waitForAccount(key.id, '0.0009');
    expect((await ask(key))?.status).toBe(402);
    expect(await differences()).toEqual([]);
  });

  it('drops the reservations of a dead process once they expire', async () => {
    const { id } = await createLimitedKey('survivor', '1');
    const budget = new KeyBudget(database);
    await budget.reserve(id, '0.6');
    await expect(budget.reserve(id, '0.6')).rejects.toThrow(NOT_COVERED);
    await service.sql(`update key_budget_reservation set expires_at = now() - interval '1 second'`);
    const mine = await budget.reserve(id, '0.3');
    await Promise.all([budget.expire(), budget.expire()]);
    expect(await accountOf(id)).toEqual({ spent: '0', reserved: '0.3', reservations: 1 });
    await Promise.all([budget.release(mine!), budget.release(mine!)]);
    expect(await accountOf(id)).toEqual({ spent: '0', reserved: '0', reservations: 0 });
  });

  it('is compared with the ledger, and corrected where it differs', async () => {
    const { id, key } = await createLimitedKey('audited', '1');
    await clientWith(key).chat.completions.create(PAID_REQUEST);
    await waitForAccount(id, PRICE);
    await service.sql('update api_key set spent_usd = 7, reserved_usd = 0.5 where id = $1', [id]);
    expect(await differences()).toEqual([
      { subject: `spent_usd of API key ${id}`, is: '7', shouldBe: PRICE },
      { subject: `reserved_usd of API key ${id}`, is: '0.5', shouldBe: '0' },
    ]);
    await new Reconciliation(database).fix();
    expect(await accountOf(id)).toEqual({ spent: PRICE, reserved: '0', reservations: 0 });
  });

  it('allows its key to be deleted while a call is in progress', async () => {
    const key = await createLimitedKey('deleter', '1');
    upstream.respondWith(async (response, one) => {
      await service.graphql('mutation ($id: Int!) { apiKeyDelete(id: $id) { apiKey { id } } }', { id: key.id });
      json(completion())(response, one);
    });
    expect(await ask(key)).toBeUndefined();
    const rows = () =>
      service.sql('select amount_usd::float8 as usd from billing_transaction where api_key_id = $1', [key.id]);
    expect(await eventually(rows, found => found.length > 0)).toEqual([{ usd: 0.00045 }]);
    expect(await differences()).toEqual([]);
  });
});

describe('apiKeyBudgetSet', () => {
  it('returns the new limit, and records it in the audit log', async () => {
    const { id } = await createLimitedKey('logged', null);
    const { data } = await service.graphql(SET, { id, limit: '2.50' });
    expect(data.apiKeyBudgetSet.apiKey).toEqual({
      id,
      budget: { limit: { usd: '2.5' }, spent: { usd: '0' }, reserved: { usd: '0' }, remaining: { usd: '2.5' } },
    });
    const cleared = await service.graphql(SET, { id, limit: null });
    expect(cleared.data.apiKeyBudgetSet.apiKey).toEqual({ id, budget: null });
    const entries = await service.sql(
      `select detail from audit_entry where action = 'api-key.set-budget' and object_id = $1 order by id`,
      [String(id)],
    );
    expect(entries.map(({ detail }) => detail)).toEqual([{ limitUsd: null }, { limitUsd: '2.50' }, { limitUsd: null }]);
  });

  it('accepts amounts from 0 on, and null only when it is explicit', async () => {
    const { id } = await createLimitedKey('checked', '1');
    for (const limit of ['-1', '1000000001', '0.0000000000001'])
      expect((await service.graphql(SET, { id, limit })).errors?.[0]?.extensions.fields).toEqual({
        limitUsd: [expect.any(String)],
      });
    const absent = await service.graphql(`mutation { apiKeyBudgetSet(id: ${id}) { apiKey { id } } }`);
    expect(absent.errors?.[0]?.extensions.fields).toEqual({ limitUsd: [expect.stringContaining('required')] });
    const unknownKey = await service.graphql(SET, { id: 2_000_000_000, limit: '1' });
    expect(unknownKey.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect((await service.sql('select budget_usd::float8 as usd from api_key where id = $1', [id]))[0]?.usd).toBe(1);
    const { data } = await service.graphql(SET, { id, limit: '0' });
    expect(data.apiKeyBudgetSet.apiKey.budget.limit).toEqual({ usd: '0' });
  });

  it('is for administrators, and the owner of a limited key cannot evade the limit', async () => {
    const { id, key } = await createLimitedKey('climber', '1');
    const codeOf = async (query: string, by: string) =>
      (await service.graphql(query, {}, by)).errors?.[0]?.extensions.code;
    const lift = `mutation { apiKeyBudgetSet(id: ${id}, limitUsd: null) { apiKey { id } } }`;
    const create = 'mutation { apiKeyCreate(input: {name: "other"}) { apiKey { id } } }';
    expect(await codeOf(lift, key)).toBe('FORBIDDEN');
    expect(await codeOf(create, key)).toBe('FORBIDDEN');
    const boss = await createLogin(service, 'boss', { isAdmin: true });
    const { body } = await service.rest('POST', '/api/v1/api-keys/', { body: { name: 'b' }, ...bearer(boss.access) });
    await service.graphql(SET, { id: body.id, limit: '1' });
    expect(
      await codeOf(`mutation { apiKeyBudgetSet(id: ${body.id}, limitUsd: null) { apiKey { id } } }`, body.key),
    ).toBe('FORBIDDEN');
    expect(await codeOf(create, body.key)).toBe('FORBIDDEN');
    await service.graphql(SET, { id, limit: null });
    expect(await codeOf(create, key)).toBeUndefined();
  });
});
