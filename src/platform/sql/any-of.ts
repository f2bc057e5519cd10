import { anyText, type ReferenceExpression, type SelectQueryBuilder } from '../database/typed-queries.js';
import { InvalidInputError } from '../errors/errors.js';

const MOST = 100;

/** A condition that a column holds one of some values; none when null or nothing is asked. Appends to `values`. */
export function anyOf(
  member: string,
  column: string,
  asked: readonly string[] | null | undefined,
  values: unknown[],
): string[] {
  if (!asked) return [];
  checkLength(member, asked);
  return [`${column} = any($${values.push(asked)}::text[])`];
}

/** Narrows a typed query to the rows whose `column` holds one of the values; null or undefined: all rows. */
export function whereAnyOf<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  column: ReferenceExpression<DB, TB>,
  member: string,
  values: readonly string[] | null | undefined,
): SelectQueryBuilder<DB, TB, Row> {
  if (!values) return query;
  checkLength(member, values);
  return query.where(column, '=', anyText(values) as never);
}

function checkLength(member: string, values: readonly string[]): void {
  if (values.length > MOST)
    throw new InvalidInputError({ [member]: [`Ensure this list has no more than ${MOST} items.`] });
}
