/** Types of values. `map`: an object with members. */
export type ValueType = 'any' | 'null' | 'text' | 'number' | 'boolean' | 'list' | 'map';

/**
 * Types of parameters. `integer`: a whole number, `count`: one that is not negative. `date`: a text in ISO 8601, or
 * milliseconds since 1970. `function`: such as `x => x.name`.
 */
export type ParameterType = ValueType | 'integer' | 'count' | 'date' | 'function';

/** Returns the type of a value; null for a missing one. */
export function typeOf(value: unknown): ValueType {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return Array.isArray(value) ? 'list' : 'map';
}

/** Types as messages name them. */
export const TYPE_NAMES: Readonly<Record<ParameterType, string>> = {
  any: 'any value',
  null: 'null',
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
  map: 'a map',
  integer: 'a whole number',
  count: 'a whole number from 0',
  date: 'a date as text in ISO 8601',
  function: 'a function such as x => x.name',
};
