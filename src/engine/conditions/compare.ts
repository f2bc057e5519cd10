import { Decimal } from 'decimal.js';
import { textOf } from '../json-value.js';

/** Operators that order two values. */
export const operators = ['==', '!=', '>', '<', '>=', '<='] as const;
export type Operator = (typeof operators)[number];

/** Longer numerals are compared as text, to limit the cost of hostile values. */
const MAX_DIGITS = 200;
/**
 * Compares as numbers if both sides are numbers or numeric texts, because form values are texts. Otherwise compares as
 * text by code units, which does not depend on the locale.
 */
export function compare(left: unknown, operator: Operator, right: unknown): boolean {
  const order = numericOrder(left, right) ?? textOrder(textOf(left), textOf(right));
  switch (operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '>':
      return order > 0;
    case '<':
      return order < 0;
    case '>=':
      return order >= 0;
    case '<=':
      return order <= 0;
  }
}

function textOrder(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function numericOrder(left: unknown, right: unknown): number | undefined {
  const a = toNumeral(left);
  const b = a === undefined ? undefined : toNumeral(right);
  if (a === undefined || b === undefined) return undefined;
  if (a === b) return 0;
  // Conversion to doubles keeps the order. It can make different numerals equal, or both infinite.
  const difference = Number(a) - Number(b);
  if (difference !== 0 && !Number.isNaN(difference)) return Math.sign(difference);
  return new Decimal(a).comparedTo(new Decimal(b));
}

function toNumeral(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value.length > MAX_DIGITS) return undefined;
  const text = value.trim();
  return isNumeral(text) ? text : undefined;
}

/** Returns a number, or the number that a text is the numeral of, with spaces around it. Undefined: neither. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && isNumeral(value.trim()) ? Number(value) : undefined;
}

/**
 * Returns true for a decimal number with optional sign, fraction and exponent. Hexadecimal, blanks and infinity are not
 * accepted.
 */
export function isNumeral(text: string): boolean {
  return /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d{1,6})?$/i.test(text);
}
