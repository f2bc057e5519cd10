import { afterEach, beforeAll, expect, it } from '@jest/globals';
import { connectClient } from '../../../src/platform/database/database-client.js';
import { isRetryableDatabaseError } from '../../../src/platform/database/database-errors.js';
import type { SqlPool } from '../../../src/platform/database/sql-pool.js';
import { createLog } from '../../../src/platform/logging/log.js';
import { Bus } from '../../../src/platform/messaging/bus.js';
import { createDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { DEADLINE_MS, openProxiedPool, type ProxiedPool } from './proxied-pool.js';

let database: string;
let opened: ProxiedPool;
beforeAll(async () => {
  database = await createDatabase();
});
afterEach(() => opened.close());

async function openPool(options?: Parameters<typeof openProxiedPool>[1]): Promise<SqlPool> {
  opened = await openProxiedPool(database, options);
  return opened.sql;
}

it('does not count the time in which this process itself was stopped', async () => {
  // The stop counts for at most half a second. The rest is left for the answer, also on a busy machine.
  const deadlineMs = 4_000;
  const sql = await openPool({ max: 1, deadlineMs });
  await sql.query('select 1');
  const answer = sql.query('select 4 as four');
  // Blocks the event loop for longer than the deadline.
  for (const until = performance.now() + 1.5 * deadlineMs; performance.now() < until; );
  expect(await answer).toEqual([{ four: 4 }]);
});

it('fails to connect to a server that accepts and does not answer', async () => {
  const sql = await openPool();
  opened.proxy.dropAll();
  const error = await sql.query('select 1').catch(failure => failure);
  expect(isRetryableDatabaseError(error)).toBe(true);
  const direct = await connectClient(opened.url, { policy: { deadlineMs: DEADLINE_MS } }).catch(failure => failure);
  expect(isRetryableDatabaseError(direct)).toBe(true);
});

it('receives notifications again after its connection went silent', async () => {
  const sql = await openPool();
  const bus = new Bus(opened.url, createLog('silent'));
  await bus.start();
  let calls = 0;
  bus.subscribe('topic', () => {
    calls++;
  });
  opened.proxy.dropAll();
  await sql.query('select 1').catch(() => {});
  await opened.proxy.restore();
  await eventually(
    async () => {
      await sql.query(Bus.notifySql, [Bus.payloads(['topic'])]).catch(() => {});
      return calls;
    },
    times => times > 0,
    { withinMs: 60_000 },
  );
  await bus.stop();
}, 90_000);
