import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ModelAnswer } from '../../src/engine/ports.js';
import { MIGRATIONS } from '../../src/migrations/index.js';
import { Budget } from '../../src/modules/billing/budgets/budget.js';
import { RunSpending } from '../../src/modules/billing/run-spending.js';
import { ENTITIES } from '../../src/modules/registry.js';
import { Database } from '../../src/platform/database/database.js';
import { createLog } from '../../src/platform/logging/log.js';
import { databaseUrl } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { startTcpProxy, type TcpProxy } from '../support/processes/tcp-proxy.js';
import { createDatabase } from '../support/service.js';

let proxy: TcpProxy;
let database: Database;
/** Number of reservations that failed. */
let failures = 0;
/** Number of paid calls. */
let paidCalls = 0;

class CountingBudget extends Budget {
  override async reserve(...args: Parameters<Budget['reserve']>): Promise<string | null> {
    try {
      return await super.reserve(...args);
    } catch (error) {
      failures++;
      throw error;
    }
  }
}

beforeAll(async () => {
  const url = new URL(databaseUrl(await createDatabase()));
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const log = createLog('silent');
  database = await Database.open({ url: url.href, entities: ENTITIES, migrations: MIGRATIONS, log });
});
afterAll(async () => {
  await database.close();
  await proxy.cut();
});

const usage = { provider: 'p', model: 'm', promptTokens: 1, completionTokens: 1, costUsd: '0.4' };
const answer: ModelAnswer = { text: 'hello', usage };

/** The spending of a run in a new project, with functions that make a paid call and read the reserved amount. */
async function createSpending() {
  const [project] = await database.query<{ id: number }>(
    `insert into project (name, budget_usd) values ('p', 1) returning id`,
  );
  const projectId = project!.id;
  const complete = async () => {
    paidCalls++;
    return answer;
  };
  const prepare = async () => ({ costUsd: '0.4', isService: false, complete });
  const parts = { prepare, budget: new CountingBudget(database) };
  const spending = new RunSpending({ run: { id: randomUUID(), projectId, token: 1 }, ...parts });
  const reserved = async () => {
    const [row] = await database.query<{ reserved: string }>(
      'select reserved_usd as reserved from project where id = $1',
      [projectId],
    );
    return Number(row!.reserved);
  };
  const call = (signal = new AbortController().signal) =>
    spending.complete({ messages: [], settings: {} }, { signal, idempotencyKey: 'k' });
  return { spending, reserved, call };
}

it('waits for an unavailable database before it makes a paid call', async () => {
  const { spending, reserved, call } = await createSpending();
  await proxy.cut();
  const answered = call();
  await eventually(
    async () => failures,
    count => count >= 2,
  );
  expect(paidCalls).toBe(0);
  await proxy.restore();
  expect(await answered).toBe(answer);
  expect(await reserved()).toBe(0.4);
  expect(spending.takeSettled([usage])).toHaveLength(1);
});

it('releases all its reservations, settled or not, when another worker has claimed its run', async () => {
  const { spending, reserved, call } = await createSpending();
  await call();
  spending.takeSettled([usage]);
  await call();
  expect(await reserved()).toBe(0.8);
  await spending.abandon();
  expect(await reserved()).toBe(0);
});

it('makes no call that is aborted while it reserves, and releases the reservation', async () => {
  const { reserved, call } = await createSpending();
  const before = paidCalls;
  const abort = new AbortController();
  const answered = call(abort.signal);
  abort.abort();
  await expect(answered).rejects.toThrow();
  expect(paidCalls).toBe(before);
  expect(await reserved()).toBe(0);
});
