import type pg from 'pg';
import { ADVISORY_LOCKS } from '../sql/advisory-locks.js';
import { connectClient } from './database-client.js';
import { isRetryableDatabaseError } from './database-errors.js';

/** Deadline for the shared lock `embeddedUse`. A command that stops the database holds it exclusively meanwhile. */
const USE_LOCK_DEADLINE_MS = 30_000;

export interface InstanceLock {
  release(): Promise<void>;
}

/**
 * Makes this process the only service on an embedded database, and registers its use. PostgreSQL releases the session
 * locks when the process dies. Returns undefined if another service holds the lock.
 */
export async function takeInstanceLock(url: string): Promise<InstanceLock | undefined> {
  const client = await connectWithUseLock(url);
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [ADVISORY_LOCKS.embeddedInstance]);
  if (rows[0].taken) return { release: () => client.end().catch(() => {}) };
  await client.end();
  return undefined;
}

export interface DatabaseUse {
  /**
   * Ends the use. Returns true if no other process uses the database. The session then holds `embeddedUse`
   * exclusively, so that other processes cannot begin a use before `close`: stop the database first.
   */
  endAsLast(): Promise<boolean>;
  close(): Promise<void>;
}

/** Registers the use of an embedded database by this process, so that no command stops it meanwhile. */
export async function registerDatabaseUse(url: string): Promise<DatabaseUse> {
  const client = await connectWithUseLock(url);
  return {
    async endAsLast() {
      try {
        await client.query('select pg_advisory_unlock_shared($1)', [ADVISORY_LOCKS.embeddedUse]);
        const { rows } = await client.query('select pg_try_advisory_lock($1) as last', [ADVISORY_LOCKS.embeddedUse]);
        return rows[0].last;
      } catch (error) {
        // The connection is lost, because another process is stopping the database.
        if (isRetryableDatabaseError(error)) return false;
        throw error;
      }
    },
    close: () => client.end().catch(() => {}),
  };
}

/** Opens the session that holds the locks. It waits while another process stops the database. */
async function connectWithUseLock(url: string): Promise<pg.Client> {
  const policy = { deadlineMs: USE_LOCK_DEADLINE_MS, keepsSession: true };
  const client = await connectClient(url, { policy, application_name: `scenarium ${process.pid}` });
  await client.query('select pg_advisory_lock_shared($1)', [ADVISORY_LOCKS.embeddedUse]);
  return client;
}
