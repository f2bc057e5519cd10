import { assertFinite, type Evaluation, failure, toNumber } from '../evaluation.js';
import { defineFunction } from './function-kind.js';

const MAX_DIGITS = 15;

/** The arguments as numbers, or the items of a list that is the only argument. */
function numbersOf(evaluation: Evaluation, name: string, values: readonly unknown[]): number[] {
  const [only] = values;
  const items: readonly unknown[] = values.length === 1 && Array.isArray(only) ? only : values;
  evaluation.charge(items.length);
  return items.map(item => toNumber(item, name));
}

/** The smallest or largest of numbers; undefined: of none. */
function findExtreme(
  evaluation: Evaluation,
  name: string,
  values: readonly unknown[],
  sign: 1 | -1,
): number | undefined {
  let found: number | undefined;
  for (const value of numbersOf(evaluation, name, values)) {
    if (found === undefined || sign * (value - found) > 0) found = value;
  }
  return found;
}

function sum(evaluation: Evaluation, name: string, values: readonly unknown[]): number {
  return assertFinite(
    numbersOf(evaluation, name, values).reduce((total, value) => total + value, 0),
    name,
  );
}

/** Rounds the decimal notation, because a multiplication would change the digits. Halves are rounded up. */
function round(_: Evaluation, value: number, digits = 0): number {
  if (digits > MAX_DIGITS) throw failure(`round keeps at most ${MAX_DIGITS} digits`);
  return shift(Math.round(shift(value, digits)), -digits);
}

function shift(value: number, digits: number): number {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  return Number(`${mantissa}e${Number(exponent) + digits}`);
}

/** Functions of numbers. A text that contains a number counts as a number. */
export const numberFunctions = [
  defineFunction(
    'round(value: number, digits?: count): number',
    'The number rounded to `digits` decimal places (default 0). Halves are rounded up.',
    [
      ['round(2.5)', 3],
      ['round(1.005, 2)', 1.01],
    ],
    round,
  ),
  defineFunction(
    'floor(value: number): number',
    'The next lower whole number.',
    [['floor(2.7)', 2]],
    (_, value: number) => Math.floor(value),
  ),
  defineFunction(
    'ceil(value: number): number',
    'The next higher whole number.',
    [['ceil(2.1)', 3]],
    (_, value: number) => Math.ceil(value),
  ),
  defineFunction('abs(value: number): number', 'The number without its sign.', [['abs(-2)', 2]], (_, value: number) =>
    Math.abs(value),
  ),
  defineFunction(
    'power(base: number, exponent: number): number',
    'The base raised to the exponent.',
    [['power(2, 10)', 1024]],
    (_, base: number, exponent: number) => assertFinite(base ** exponent, 'power'),
  ),
  defineFunction(
    'clamp(value: number, least: number, most: number): number',
    'The number, but at least `least` and at most `most`.',
    [['clamp(12, 0, 10)', 10]],
    (_, value: number, least: number, most: number) => Math.min(Math.max(value, least), most),
  ),
  defineFunction(
    'min(...values: any): number',
    'The smallest of the numbers, or of the items of one list. It has no value if the list is empty.',
    [
      ['min(3, 1, 2)', 1],
      ['min([3, 1])', 1],
    ],
    (evaluation, ...values: unknown[]) => findExtreme(evaluation, 'min', values, -1),
  ),
  defineFunction(
    'max(...values: any): number',
    'The largest of the numbers, or of the items of one list. It has no value if the list is empty.',
    [['max([3, 1])', 3]],
    (evaluation, ...values: unknown[]) => findExtreme(evaluation, 'max', values, 1),
  ),
  defineFunction(
    'sum(...values: any): number',
    'The sum of the numbers, or of the items of one list.',
    [['sum([1, 2, 3])', 6]],
    (evaluation, ...values: unknown[]) => sum(evaluation, 'sum', values),
  ),
  defineFunction(
    'avg(...values: any): number',
    'The average of the numbers, or of the items of one list. It has no value if the list is empty.',
    [['avg([1, 2, 3])', 2]],
    (evaluation, ...values: unknown[]) => {
      const count = values.length === 1 && Array.isArray(values[0]) ? values[0].length : values.length;
      return count === 0 ? undefined : sum(evaluation, 'avg', values) / count;
    },
  ),
];
