import { anyText, type ReferenceExpression, type SelectQueryBuilder } from '../database/typed-queries.js';
import { InvalidInputError } from '../errors/errors.js';

const MAX_VALUES = 100;

/** Restricts a typed query to rows whose `column` equals one of the values. Null or undefined: no restriction. */
export function whereAnyOf<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  column: ReferenceExpression<DB, TB>,
  member: string,
  values: readonly string[] | null | undefined,
): SelectQueryBuilder<DB, TB, Row> {
  if (!values) return query;
  if (values.length > MAX_VALUES)
    throw new InvalidInputError({ [member]: [`Ensure this list has no more than ${MAX_VALUES} items.`] });
  return query.where(column, '=', anyText(values) as never);
}
