import { parseIsoDate } from '../expressions/functions/date-patterns.js';
import { DAY_MS } from '../expressions/functions/time-zone.js';
import { isEmpty } from '../expressions/functions/value-functions.js';
import { typeOf } from '../expressions/value-types.js';
import { isObject, parseJsonText, textOf } from '../json-value.js';
import { compare, type Operator, operators } from './compare.js';
import { ConditionError } from './condition-error.js';
import { matchesPattern, patternMatcher } from './pattern.js';

/** Operators that compare texts. `ignore_case` applies to them, and to `==`, `!=`, `in` and `not_in`. */
const TEXT_OPERATORS = ['contains', 'not_contains', 'starts_with', 'ends_with', 'matches'] as const;
const LIST_OPERATORS = ['in', 'not_in'] as const;
const DATE_OPERATORS = ['before', 'after', 'on_date'] as const;
/** Operators without a right side that also take a missing left side. */
const MISSING_OPERATORS = ['exists', 'not_exists', 'empty', 'not_empty'] as const;
const TYPE_OPERATORS = ['is_text', 'is_number', 'is_boolean', 'is_list', 'is_object'] as const;

/** All operators of conditions, in the order of the documentation. */
export const CONDITION_OPERATORS = [
  ...operators,
  ...TEXT_OPERATORS,
  ...LIST_OPERATORS,
  'between',
  ...MISSING_OPERATORS,
  ...TYPE_OPERATORS,
  ...DATE_OPERATORS,
] as const;
export type ConditionOperator = (typeof CONDITION_OPERATORS)[number];

const UNARY: ReadonlySet<string> = new Set([...MISSING_OPERATORS, ...TYPE_OPERATORS]);
const TAKES_MISSING: ReadonlySet<string> = new Set(MISSING_OPERATORS);
const TAKES_LIST: ReadonlySet<unknown> = new Set(LIST_OPERATORS);
const TAKES_DATE: ReadonlySet<unknown> = new Set(DATE_OPERATORS);

/** Returns true if the operator has no right side. */
export function isUnary(operator: unknown): boolean {
  return typeof operator === 'string' && UNARY.has(operator);
}

/** Returns true if the left side may be missing. */
export function takesMissing(operator: unknown): boolean {
  return typeof operator === 'string' && TAKES_MISSING.has(operator);
}

const FOLDABLE: ReadonlySet<string> = new Set(['==', '!=', 'in', 'not_in', ...TEXT_OPERATORS]);

/** Returns true if `ignore_case` has an effect on the operator. */
export const comparesTexts = (operator: ConditionOperator): boolean => FOLDABLE.has(operator);

/** How the conditions of a group are combined: all hold, at least one holds, none holds. */
export const COMBINATIONS = ['and', 'or', 'not'] as const;
export type Combination = (typeof COMBINATIONS)[number];

/** One comparison. */
export interface Comparison {
  left?: unknown;
  operator?: ConditionOperator | null | undefined;
  right?: unknown;
  ignore_case?: boolean | null | undefined;
}

/** A comparison, or a group of conditions. */
export interface Condition extends Comparison {
  combine?: Combination | null | undefined;
  conditions?: readonly Condition[] | null | undefined;
}

/** Returns true if the condition holds. Throws a ConditionError for values that the operator cannot compare. */
export function holds(condition: Condition): boolean {
  const { conditions, combine } = condition;
  if (!conditions) return isMet(condition);
  switch (combine ?? 'and') {
    case 'and':
      return conditions.every(holds);
    case 'or':
      return conditions.some(holds);
    case 'not':
      return !conditions.some(holds);
  }
}

/** Evaluates one comparison. Throws a ConditionError. */
export function isMet({ left, operator, right, ignore_case: ignoresCase }: Comparison): boolean {
  const folds = ignoresCase === true && operator !== 'matches';
  return OPERATIONS[operator ?? '=='](folds ? fold(left) : left, folds ? fold(right) : right, ignoresCase === true);
}

/** Returns why the operator can compare no value to this right side. Undefined: it can. A pattern is not checked. */
export function rightSideFault(operator: unknown, right: unknown): string | undefined {
  try {
    if (TAKES_LIST.has(operator)) listOf(right);
    else if (operator === 'between') boundsOf(right);
    else if (TAKES_DATE.has(operator)) instantOf(right, 'right');
    return undefined;
  } catch (error) {
    if (error instanceof ConditionError) return error.messageOfValue;
    throw error;
  }
}

/** Maximum number of comparisons that `in` and `not_in` make for all left sides together. */
const MAX_LIST_COMPARISONS = 1_000_000;

/**
 * Returns a function that compares left sides with the same operator and right side. All its calls share one cost limit.
 * Both this function and the returned one throw a ConditionError.
 */
export function createComparer({ operator, right, ignore_case }: Omit<Comparison, 'left'>): (left: unknown) => boolean {
  if (operator === 'matches') {
    const matches = patternMatcher(textOf(right), ignore_case === true);
    return left => matches(textOf(left));
  }
  if (operator !== 'in' && operator !== 'not_in') return left => isMet({ left, operator, right, ignore_case });
  const list = listOf(right);
  let remaining = MAX_LIST_COMPARISONS;
  return left => {
    remaining -= list.length;
    if (remaining < 0) throw new ConditionError('right: the list is too long for the number of items');
    return isMet({ left, operator, right: list, ignore_case });
  };
}

/** Texts in lower case, also those in a list. */
function fold(value: unknown): unknown {
  if (typeof value === 'string') return value.toLowerCase();
  return Array.isArray(value) ? value.map(fold) : value;
}

type Operation = (left: unknown, right: unknown, ignoresCase: boolean) => boolean;

const ordered =
  (operator: Operator): Operation =>
  (left, right) =>
    compare(left, operator, right);

const ofType =
  (type: string): Operation =>
  left =>
    typeOf(left) === type;

const exists = (value: unknown) => value !== undefined && value !== null;

const OPERATIONS: Readonly<Record<ConditionOperator, Operation>> = {
  '==': ordered('=='),
  '!=': ordered('!='),
  '>': ordered('>'),
  '<': ordered('<'),
  '>=': ordered('>='),
  '<=': ordered('<='),
  contains,
  not_contains: (left, right, ignoresCase) => !contains(left, right, ignoresCase),
  starts_with: (left, right) => textOf(left).startsWith(textOf(right)),
  ends_with: (left, right) => textOf(left).endsWith(textOf(right)),
  matches: (left, right, ignoresCase) => matchesPattern(textOf(left), textOf(right), ignoresCase),
  in: isIn,
  not_in: (left, right) => !isIn(left, right),
  between: (left, right) => {
    const [min, max] = boundsOf(right);
    return compare(left, '>=', min) && compare(left, '<=', max);
  },
  exists,
  not_exists: value => !exists(value),
  empty: isEmpty,
  not_empty: value => !isEmpty(value),
  is_text: ofType('text'),
  is_number: ofType('number'),
  is_boolean: ofType('boolean'),
  is_list: ofType('list'),
  is_object: ofType('map'),
  before: (left, right) => instantOf(left, 'left') < instantOf(right, 'right'),
  after: (left, right) => instantOf(left, 'left') > instantOf(right, 'right'),
  on_date: (left, right) => dayOf(instantOf(left, 'left')) === dayOf(instantOf(right, 'right')),
};

/** A list has the item, an object the member name, or a text the part. With `ignoresCase`, texts are already in lower case. */
function contains(left: unknown, right: unknown, ignoresCase: boolean): boolean {
  if (Array.isArray(left)) return left.some(item => compare(item, '==', right));
  if (!isObject(left)) return textOf(left).includes(textOf(right));
  const name = textOf(right);
  return ignoresCase ? Object.keys(left).some(member => member.toLowerCase() === name) : Object.hasOwn(left, name);
}

function isIn(left: unknown, right: unknown): boolean {
  return listOf(right).some(item => compare(left, '==', item));
}

/** Returns the items of a list, of the JSON text of a list, or of a text with commas. Throws a ConditionError. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') throw new ConditionError('right: must be a list, or a text with commas');
  const parsed = value.trimStart().startsWith('[') ? parseJsonText(value) : undefined;
  return Array.isArray(parsed) ? parsed : value.split(',').map(part => part.trim());
}

function boundsOf(value: unknown): readonly [unknown, unknown] {
  const [min, max, ...others] = listOf(value);
  if (min === undefined || max === undefined || others.length > 0) {
    throw new ConditionError('right: must be a list of the least and the greatest value');
  }
  return [min, max];
}

/** Milliseconds since 1970. Times without an offset are in UTC. */
function instantOf(value: unknown, side: string): number {
  if (typeof value === 'number') return value;
  const instant = parseIsoDate(textOf(value), 'UTC');
  if (instant === undefined) throw new ConditionError(`${side}: must be a date in ISO 8601, such as 2026-03-01`);
  return instant;
}

/** Number of the day in UTC since 1970. */
function dayOf(instant: number): number {
  return Math.floor(instant / DAY_MS);
}
