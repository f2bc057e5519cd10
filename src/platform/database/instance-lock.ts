import type pg from 'pg';
import { ADVISORY_LOCKS } from '../sql/advisory-locks.js';
import { connectClient } from './database-client.js';
import { isRetryableDatabaseError } from './database-errors.js';

/** Deadline for the lock. The process that stops an embedded database holds it until the database is down. */
const LOCK_DEADLINE_MS = 30_000;

export interface InstanceLock {
  release(): Promise<void>;
}

/**
 * Makes this process the only service on an embedded database until it exits. PostgreSQL releases the session lock when
 * the process dies. Returns undefined if another process holds the lock.
 */
export async function takeInstanceLock(url: string): Promise<InstanceLock | undefined> {
  const client = await connectAsUser(url);
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [ADVISORY_LOCKS.embeddedInstance]);
  if (rows[0].taken) return { release: () => client.end().catch(() => {}) };
  await client.end();
  return undefined;
}

export interface DatabaseUse {
  /** Ends the use. Returns true if no other process uses the database; new users then wait until it is stopped. */
  endAsLast(): Promise<boolean>;
  close(): Promise<void>;
}

/** Registers this process as a user of an embedded database, so that the owner does not stop it meanwhile. */
export async function registerDatabaseUse(url: string): Promise<DatabaseUse> {
  const client = await connectAsUser(url);
  return {
    async endAsLast() {
      try {
        await client.query('select pg_advisory_unlock_shared($1)', [ADVISORY_LOCKS.embeddedUse]);
        const { rows } = await client.query('select pg_try_advisory_lock($1) as last', [ADVISORY_LOCKS.embeddedUse]);
        return rows[0].last;
      } catch (error) {
        // The previous last user is already stopping the database.
        if (isRetryableDatabaseError(error)) return false;
        throw error;
      }
    },
    close: () => client.end().catch(() => {}),
  };
}

async function connectAsUser(url: string): Promise<pg.Client> {
  const policy = { deadlineMs: LOCK_DEADLINE_MS, keepsSession: true };
  const client = await connectClient(url, { policy, application_name: `scenarium ${process.pid}` });
  await client.query('select pg_advisory_lock_shared($1)', [ADVISORY_LOCKS.embeddedUse]);
  return client;
}
