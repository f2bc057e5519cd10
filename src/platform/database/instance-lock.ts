import type pg from 'pg';
import { ADVISORY_LOCKS } from '../sql/advisory-locks.js';
import { connectClient } from './database-client.js';
import { isRetryableDatabaseError } from './database-errors.js';

/** The process that stops an embedded database holds its lock until the database is down. */
const LOCK_DEADLINE_MS = 30_000;

export interface InstanceLock {
  release(): Promise<void>;
}

/**
 * Makes this process the only service on an embedded database, for as long as it lives: a session lock that PostgreSQL
 * itself lets go when the process dies. Undefined when another process holds it.
 */
export async function takeInstanceLock(url: string): Promise<InstanceLock | undefined> {
  const client = await connectedUser(url);
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [ADVISORY_LOCKS.embeddedInstance]);
  if (rows[0].taken) return { release: () => client.end().catch(() => {}) };
  await client.end();
  return undefined;
}

export interface DatabaseUse {
  /** Ends the use; true when nobody else uses the database, and nobody can begin to before it is stopped. */
  endAsLast(): Promise<boolean>;
  close(): Promise<void>;
}

/** Says that this process uses an embedded database beside its service: whoever started it will not stop it meanwhile. */
export async function useDatabase(url: string): Promise<DatabaseUse> {
  const client = await connectedUser(url);
  return {
    async endAsLast() {
      try {
        await client.query('select pg_advisory_unlock_shared($1)', [ADVISORY_LOCKS.embeddedUse]);
        const { rows } = await client.query('select pg_try_advisory_lock($1) as last', [ADVISORY_LOCKS.embeddedUse]);
        return rows[0].last;
      } catch (error) {
        // Whoever was last in between is stopping it.
        if (isRetryableDatabaseError(error)) return false;
        throw error;
      }
    },
    close: () => client.end().catch(() => {}),
  };
}

async function connectedUser(url: string): Promise<pg.Client> {
  const policy = { deadlineMs: LOCK_DEADLINE_MS, keepsSession: true };
  const client = await connectClient(url, { policy, application_name: `scenarium ${process.pid}` });
  await client.query('select pg_advisory_lock_shared($1)', [ADVISORY_LOCKS.embeddedUse]);
  return client;
}
