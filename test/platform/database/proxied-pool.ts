import type pg from 'pg';
import { connectionOptions } from '../../../src/platform/database/database-client.js';
import { createPool, SqlPool } from '../../../src/platform/database/sql-pool.js';
import { createLog } from '../../../src/platform/logging/log.js';
import { databaseUrl } from '../../support/config.js';
import { startTcpProxy, type TcpProxy } from '../../support/processes/tcp-proxy.js';

/** The deadline of a statement, in milliseconds. */
export const DEADLINE_MS = 600;

/** A connection pool whose connections lead through a TCP proxy. */
export interface ProxiedPool {
  sql: SqlPool;
  proxy: TcpProxy;
  /** The URL of the database through the proxy. */
  url: string;
  target: { host: string; port: number };
  endPool(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a pool of the database. `host` is the name of the proxy in its URL. */
export async function openProxiedPool(
  database: string,
  { max = 4, deadlineMs = DEADLINE_MS, host = '' } = {},
): Promise<ProxiedPool> {
  const through = new URL(databaseUrl(database));
  const target = { host: through.hostname, port: Number(through.port) };
  const proxy = await startTcpProxy(target);
  through.port = String(proxy.port);
  if (host !== '') through.hostname = host;
  const url = through.href;
  const pool: pg.Pool = createPool({
    url,
    max,
    log: createLog('silent'),
    connection: connectionOptions({ deadlineMs }),
  });
  let ended: Promise<void> | undefined;
  const endPool = () => {
    ended ??= pool.end();
    return ended;
  };
  const close = async () => {
    await endPool();
    await proxy.cut();
  };
  return { sql: new SqlPool(pool), proxy, url, target, endPool, close };
}
