import { Decimal } from 'decimal.js';
import { textOf } from '../../json-value.js';

export const operators = ['==', '!=', '>', '<', '>=', '<='] as const;
export type Operator = (typeof operators)[number];

/** Longer texts of digits are compared as texts: no number that people mean is longer. */
const MAX_DIGITS = 200;
/** A float holds this many decimal digits exactly. */
const SAFE_DIGITS = 15;

/**
 * Numeric when both sides are numbers (a text that spells a number is one: form values are texts), text otherwise, by
 * code units so that the result is the same on every machine.
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
  const a = numeral(left);
  const b = a === undefined ? undefined : numeral(right);
  if (a === undefined || b === undefined) return undefined;
  if (a.length <= SAFE_DIGITS && b.length <= SAFE_DIGITS) return Math.sign(Number(a) - Number(b));
  return new Decimal(a).comparedTo(new Decimal(b));
}

function numeral(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value.length > MAX_DIGITS) return undefined;
  const text = value.trim();
  return isNumeral(text) ? text : undefined;
}

/** A decimal number with an optional sign, fraction and exponent; no hexadecimal, no blanks, no infinity. */
export function isNumeral(text: string): boolean {
  return /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d{1,6})?$/i.test(text);
}
