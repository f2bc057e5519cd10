import type { Sql } from '../../../platform/database/sql-pool.js';

/** Differences of one kind that are found at once; the rest shows once these are gone. */
export const MOST = 1_000;

export interface Check {
  /** `is` and `should be` by id, where they differ. */
  find: string;
  subject(id: string): string;
  /** Locks the rows of these ids, so that every writer waits; then `fix` sees all that was committed. */
  fix?: { lock: string; write: string };
}

/** What a check finds, as of the moment of `sql`. */
export function rowsOf({ find }: Check, sql: Sql): Promise<{ id: string; is: string; shouldBe: string }[]> {
  return sql.query(`
    select d.id::text, trim_scale(d."is"::numeric)::text as "is", trim_scale(d.should_be::numeric)::text as "shouldBe"
      from (${find}) d limit ${MOST}`);
}

/** Sets what a check found wrong to what the rows say. In a transaction. */
export async function fixRows(fix: NonNullable<Check['fix']>, ids: readonly string[], sql: Sql): Promise<void> {
  await sql.query(fix.lock, [ids]);
  await sql.query(fix.write, [ids]);
}

/** Every later statement of the transaction sees the database as of one moment. */
export async function readOneMoment(sql: Sql): Promise<void> {
  await sql.query('set transaction isolation level repeatable read, read only');
}
