import type { Sql } from '../../../platform/database/sql-pool.js';

/** The maximum number of differences of one check per pass. Further ones appear once these are corrected. */
export const MAX_DIFFERENCES = 1_000;

/** A comparison of stored figures with the rows from which they follow. */
export interface Check {
  /** SQL that selects `id`, `is` and `should_be` where the two values differ. */
  find: string;
  subject(id: string): string;
  /** `lock` locks the rows of the ids so that all writers wait. `write` then sees all committed changes. */
  fix?: { lock: string; write: string };
}

/** Returns the differences of a check, as of the snapshot of `sql`. */
export function findDifferences({ find }: Check, sql: Sql): Promise<{ id: string; is: string; shouldBe: string }[]> {
  return sql.query(`
    select d.id::text, trim_scale(d."is"::numeric)::text as "is", trim_scale(d.should_be::numeric)::text as "shouldBe"
      from (${find}) d limit ${MAX_DIFFERENCES}`);
}

/** Corrects the rows with these ids. Must run in a transaction. */
export async function fixRows(fix: NonNullable<Check['fix']>, ids: readonly string[], sql: Sql): Promise<void> {
  await sql.query(fix.lock, [ids]);
  await sql.query(fix.write, [ids]);
}

/** Makes all later statements of the transaction read the same snapshot. */
export async function readSingleSnapshot(sql: Sql): Promise<void> {
  await sql.query('set transaction isolation level repeatable read, read only');
}
