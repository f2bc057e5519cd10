import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import express from 'express';
import { healthRoutes } from '../../src/http/health.js';
import type { Database } from '../../src/platform/database/database.js';
import { WedgeWatch } from '../../src/platform/database/wedge-watch.js';
import { createLog } from '../../src/platform/logging/log.js';
import { databaseUrl } from '../support/config.js';
import { openDatabaseAt } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startTcpProxy, type TcpProxy } from '../support/processes/tcp-proxy.js';
import { createDatabase } from '../support/service.js';

const WEDGED_AFTER_MS = 1_500;

let proxy: TcpProxy;
let database: Database;
let watch: WedgeWatch;
let server: http.Server;
beforeEach(async () => {
  const url = new URL(databaseUrl(await createDatabase()));
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  database = await openDatabaseAt(url.href);
  watch = new WedgeWatch(database, WEDGED_AFTER_MS, createLog('silent'));
  watch.start();
  server = http.createServer(express().use(healthRoutes({ phase: 'ready', database, wedgeWatch: watch })));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  watch.stop();
  await new Promise(resolve => server.close(resolve));
  await proxy.restore();
  await database.close();
  await proxy.cut();
});

async function probe(path: string) {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  return { status: response.status, body: await response.json() };
}

it('fails /healthz while a pool does not answer although the database can be reached', async () => {
  expect(await probe('/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  // Work that occupies every connection of the pool until `release` is called.
  const work = Array.from({ length: 8 }, () =>
    database.transaction(async sql => {
      await sql.query('set local idle_in_transaction_session_timeout = 0');
      await held;
    }),
  );
  await eventually(
    () => probe('/healthz'),
    ({ status }) => status === 503,
  );
  expect((await probe('/healthz')).body).toEqual({ status: 'wedged' });
  expect((await probe('/readyz')).status).toBe(503);
  release();
  await Promise.allSettled(work);
  await eventually(
    () => probe('/healthz'),
    ({ status }) => status === 200,
  );
});

it('keeps /healthz at 200 while the database is unreachable', async () => {
  await proxy.cut();
  await expect(database.query('select 1')).rejects.toThrow();
  // Longer than a blocked pool is tolerated.
  const until = performance.now() + 3 * WEDGED_AFTER_MS;
  const [status] = await eventually(
    async () => [(await probe('/healthz')).status, performance.now() > until] as const,
    ([current, isOver]) => current !== 200 || isOver,
  );
  expect(status).toBe(200);
  expect((await probe('/readyz')).status).toBe(503);
});
