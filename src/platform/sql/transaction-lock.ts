import type { Sql } from '../database/database.js';
import type { ADVISORY_LOCKS } from './advisory-locks.js';

export type LockKey = (typeof ADVISORY_LOCKS)[keyof typeof ADVISORY_LOCKS];

/** Takes an advisory lock until the transaction of `sql` ends. `id` is the row or scope of the lock. */
export async function takeTransactionLock(sql: Sql, lock: LockKey, id?: number): Promise<void> {
  if (id === undefined) await sql.query('select pg_advisory_xact_lock($1)', [lock]);
  else await sql.query('select pg_advisory_xact_lock($1, $2)', [lock, id]);
}
