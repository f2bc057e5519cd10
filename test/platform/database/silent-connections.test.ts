import dns from 'node:dns';
import { afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { connectClient, StatementTimeoutError } from '../../../src/platform/database/database-client.js';
import { isRetryableDatabaseError } from '../../../src/platform/database/database-errors.js';
import type { SqlPool } from '../../../src/platform/database/sql-pool.js';
import { createDatabase, openDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { startTcpProxy } from '../../support/processes/tcp-proxy.js';
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

/** Opens `count` sessions of the pool and reads their process ids. */
async function readSessionPids(sql: SqlPool, count: number): Promise<number[]> {
  const clients = await Promise.all(Array.from({ length: count }, () => sql.connections.connect()));
  const pids = clients.map(async client => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    client.release();
    return rows[0]!.pid;
  });
  return Promise.all(pids);
}

it('gives up statements on connections that became silent, and opens new ones as soon as there is a path', async () => {
  const sql = await openPool();
  const before = await readSessionPids(sql, 4);
  opened.proxy.dropAll();
  const errors = await Promise.all([1, 2, 3, 4].map(() => sql.query('select 1').catch(error => error)));
  for (const error of errors) {
    expect(isRetryableDatabaseError(error)).toBe(true);
    expect(String(error)).not.toContain('Query read timeout');
  }
  expect(errors.some(error => error instanceof StatementTimeoutError)).toBe(true);
  expect(sql.connections.totalCount).toBe(0);
  await opened.proxy.restore();
  const after = await readSessionPids(sql, 4);
  expect(after.filter(pid => before.includes(pid))).toEqual([]);
});

it('ends a transaction whose connection became silent without waiting for its rollback', async () => {
  const sql = await openPool({ max: 1 });
  let statements = 0;
  const lost = sql.transaction(async within => {
    await within.query('select 1');
    opened.proxy.dropAll();
    statements++;
    await within.query('select 2');
    statements++;
  });
  await expect(lost).rejects.toBeInstanceOf(StatementTimeoutError);
  expect(statements).toBe(1);
  expect(sql.connections.totalCount).toBe(0);
  await opened.proxy.restore();
  expect(await sql.transaction(within => within.query('select 3 as three'))).toEqual([{ three: 3 }]);
});

it('discards idle connections that were silent as long as the one that missed its deadline', async () => {
  const sql = await openPool();
  await readSessionPids(sql, 4);
  expect(sql.connections.idleCount).toBe(4);
  opened.proxy.dropAll();
  await expect(sql.query('select 1')).rejects.toBeInstanceOf(StatementTimeoutError);
  await eventually(
    async () => sql.connections.totalCount,
    count => count === 0,
  );
  await opened.proxy.restore();
  expect(await sql.query('select 1 as one')).toEqual([{ one: 1 }]);
});

it('leaves the others working when a statement with a shorter deadline is given up', async () => {
  const sql = await openPool({ deadlineMs: 60_000 });
  const working = sql.query<{ four: number }>('select 4 as four from (select pg_sleep(1.5)) as pause');
  await expect(sql.query('select pg_sleep(5)', [], { deadlineMs: 300 })).rejects.toBeInstanceOf(StatementTimeoutError);
  expect(await working).toEqual([{ four: 4 }]);
});

it('ends a connection whose peer never closes it', async () => {
  await openPool();
  const client = await connectClient(opened.url, { policy: { deadlineMs: DEADLINE_MS } });
  opened.proxy.dropAll();
  await client.end();
});

it('looks the name up again for each new connection', async () => {
  const sql = await openPool({ host: 'database.test' });
  const second = await startTcpProxy(opened.target, { host: '127.0.0.2', port: opened.proxy.port });
  try {
    let address = '127.0.0.1';
    const lookup = dns.lookup;
    jest
      .spyOn(dns, 'lookup')
      .mockImplementation(((name: string, ...rest: unknown[]) =>
        (lookup as unknown as (...given: unknown[]) => void)(
          name === 'database.test' ? address : name,
          ...rest,
        )) as never);
    await readSessionPids(sql, 4);
    // The server is silent from now on, and its name resolves to another one.
    opened.proxy.dropAll();
    address = '127.0.0.2';
    await expect(sql.query('select 1')).rejects.toBeInstanceOf(StatementTimeoutError);
    expect(await sql.query('select 1 as one')).toEqual([{ one: 1 }]);
  } finally {
    jest.restoreAllMocks();
    await opened.endPool();
    await second.cut();
  }
});

it('keeps a statement timeout of the database that is stricter than its own, and sets its own otherwise', async () => {
  const timeoutOf = async () => {
    const direct = await openDatabase(database);
    try {
      const [row] = await direct.query<{ timeout: string }>(`select current_setting('statement_timeout') as timeout`);
      const [long] = await direct.longRunning.query<{ timeout: string }>(
        `select current_setting('statement_timeout') as timeout`,
      );
      return [row!.timeout, long!.timeout];
    } finally {
      await direct.close();
    }
  };
  const sql = await openPool();
  expect(await timeoutOf()).toEqual(['7500ms', '14min']);
  await sql.query(`alter database ${database} set statement_timeout = '2s'`);
  expect(await timeoutOf()).toEqual(['2s', '14min']);
  await sql.query(`alter database ${database} set statement_timeout = '5min'`);
  expect(await timeoutOf()).toEqual(['7500ms', '14min']);
});
