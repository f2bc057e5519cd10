import type { Sql } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import type { Faults } from '../../../platform/errors/fields.js';
import type { LinkTables, PartLink } from './part-loaders.js';
import { DOES_NOT_EXIST } from './part-scope.js';

/** Returns the ids that exist among the permitted targets of the link. */
type FindExistingIds = (ids: number[]) => Promise<ReadonlySet<number>>;

/** Adds faults for a list of ids that is too long and for each id that does not exist. Duplicates count once. */
export async function checkLinks(
  faults: Faults,
  field: string,
  ids: readonly number[],
  max: number,
  findExisting: FindExistingIds,
): Promise<void> {
  if (ids.length > max) return faults.add(field, `Ensure this list has no more than ${max} ids.`);
  const existing = await findExisting([...new Set(ids)]);
  ids.forEach((id, index) => {
    if (!existing.has(id)) faults.add(`${field}.${index}`, DOES_NOT_EXIST);
  });
}

/** Replaces the links of a part with links to `others`. */
export async function setLinks(
  sql: Sql,
  { table, from, to }: Pick<PartLink, 'table' | 'from' | 'to'>,
  id: number,
  others: readonly number[],
): Promise<void> {
  const distinct = [...new Set(others)].toSorted((a, b) => a - b);
  const tables = queryBuilder<LinkTables>(sql);
  await tables
    .deleteFrom(table)
    .where(from, '=', id)
    .$if(distinct.length > 0, query => query.where(to, 'not in', distinct))
    .execute();
  if (distinct.length === 0) return;
  await tables
    .insertInto(table)
    .values(distinct.map(other => ({ [from]: id, [to]: other })))
    .onConflict(conflict => conflict.doNothing())
    .execute();
}
