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
  if (asked.length > MOST)
    throw new InvalidInputError({ [member]: [`Ensure this list has no more than ${MOST} items.`] });
  return [`${column} = any($${values.push(asked)}::text[])`];
}
