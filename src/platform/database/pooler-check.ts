import type pg from 'pg';
import { StartError } from '../config/start-error.js';
import { connectClient } from './database-client.js';

const ROUNDS = 5;
const DEADLINE_MS = 4_000;

/**
 * Rejects a pooler in transaction or statement mode. The service needs sessions for LISTEN, advisory locks, settings
 * and prepared statements. Two clients connected at the same time, one of them of `pool`, have two server processes. Behind such a
 * pooler they share one, or one of them has several.
 */
export async function assertSessions(pool: pg.Pool, url: string): Promise<void> {
  const pids = [0, 1].map(() => new Set<number>());
  const pooled = await pool.connect();
  try {
    const other = await connectClient(url, { policy: { deadlineMs: DEADLINE_MS } });
    try {
      for (let round = 0; round < ROUNDS; round++) {
        for (const [index, client] of [pooled, other].entries()) {
          const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
          pids[index]!.add(rows[0]!.pid);
        }
      }
    } finally {
      await other.end();
    }
  } finally {
    pooled.release();
  }
  if (pids.every(({ size }) => size === 1) && new Set(pids.flatMap(each => [...each])).size === 2) return;
  throw new StartError(
    'DATABASE_URL: points to a connection pooler in transaction or statement mode, but the service needs sessions. ' +
      'Set pool_mode=session for this database (PgBouncer), or use the URL of PostgreSQL itself.',
  );
}
