import type { Sql } from '../../../platform/database/database.js';
import type { Faults } from '../../../platform/errors/fields.js';
import { DOES_NOT_EXIST } from './within.js';

/** Which of the ids exist where the link may point. */
type Existing = (ids: number[]) => Promise<ReadonlySet<number>>;

/** Notes a list of ids that is too long, and each id that does not exist. Twice the same id is one. */
export async function checkLinks(
  faults: Faults,
  field: string,
  sent: readonly number[],
  max: number,
  existing: Existing,
): Promise<void> {
  if (sent.length > max) return faults.add(field, `Ensure this list has no more than ${max} ids.`);
  const found = await existing([...new Set(sent)]);
  sent.forEach((id, index) => {
    if (!found.has(id)) faults.add(`${field}.${index}`, DOES_NOT_EXIST);
  });
}

/** Links a part to these others and no more. */
export async function setLinks(
  sql: Sql,
  { table, from, to }: { table: string; from: string; to: string },
  id: number,
  others: readonly number[],
): Promise<void> {
  await sql.query(`delete from ${table} where ${from} = $1 and ${to} <> all($2::int[])`, [id, others]);
  await sql.query(
    `insert into ${table} (${from}, ${to}) select $1, other from unnest($2::int[]) as other on conflict do nothing`,
    [id, [...new Set(others)].toSorted((a, b) => a - b)],
  );
}
