import { isObject, type JsonObject, listOf } from '@/shared/json/json-value';

/** Levels of groups that the service accepts. */
export const MAX_DEPTH = 3;
/** Conditions that the service accepts in one group. */
export const MAX_CONDITIONS = 50;

export const COMBINATIONS = [
  { value: 'and', label: 'All' },
  { value: 'or', label: 'Any' },
  { value: 'not', label: 'None' },
];

/** How the right side of an operator is edited. */
export type RightSide = 'text' | 'list' | 'range' | 'date' | 'pattern' | 'none';

interface OperatorView {
  label: string;
  group: string;
  right: RightSide;
  /** Whether `ignore_case` has an effect. */
  isText?: true;
}

const VALUES = 'Values';
const TEXTS = 'Texts';
const LISTS = 'Lists and ranges';
const PRESENCE = 'Presence';
const TYPES = 'Types';
const DATES = 'Dates';

const OPERATORS: Record<string, OperatorView> = {
  '==': { label: 'is equal to (==)', group: VALUES, right: 'text', isText: true },
  '!=': { label: 'is not equal to (!=)', group: VALUES, right: 'text', isText: true },
  '>': { label: 'is greater than (>)', group: VALUES, right: 'text' },
  '<': { label: 'is less than (<)', group: VALUES, right: 'text' },
  '>=': { label: 'is greater than or equal to (>=)', group: VALUES, right: 'text' },
  '<=': { label: 'is less than or equal to (<=)', group: VALUES, right: 'text' },
  contains: { label: 'contains', group: TEXTS, right: 'text', isText: true },
  not_contains: { label: 'does not contain', group: TEXTS, right: 'text', isText: true },
  starts_with: { label: 'starts with', group: TEXTS, right: 'text', isText: true },
  ends_with: { label: 'ends with', group: TEXTS, right: 'text', isText: true },
  matches: { label: 'matches the pattern', group: TEXTS, right: 'pattern', isText: true },
  in: { label: 'is one of', group: LISTS, right: 'list', isText: true },
  not_in: { label: 'is none of', group: LISTS, right: 'list', isText: true },
  between: { label: 'is between', group: LISTS, right: 'range' },
  exists: { label: 'exists', group: PRESENCE, right: 'none' },
  not_exists: { label: 'does not exist', group: PRESENCE, right: 'none' },
  empty: { label: 'is empty', group: PRESENCE, right: 'none' },
  not_empty: { label: 'is not empty', group: PRESENCE, right: 'none' },
  is_text: { label: 'is a text', group: TYPES, right: 'none' },
  is_number: { label: 'is a number', group: TYPES, right: 'none' },
  is_boolean: { label: 'is true or false', group: TYPES, right: 'none' },
  is_list: { label: 'is a list', group: TYPES, right: 'none' },
  is_object: { label: 'is an object', group: TYPES, right: 'none' },
  before: { label: 'is before', group: DATES, right: 'date' },
  after: { label: 'is after', group: DATES, right: 'date' },
  on_date: { label: 'is on the day', group: DATES, right: 'date' },
};

/** An operator that the console does not know has a text on its right side. */
export function operatorView(operator: string): OperatorView {
  return isOperator(operator) ? OPERATORS[operator]! : { label: operator, group: 'Others', right: 'text' };
}

export const isOperator = (value: string) => Object.hasOwn(OPERATORS, value);

/** The operators as options of a list, in groups. */
export function operatorOptions(operators: readonly string[]) {
  const groups = Map.groupBy(operators, operator => operatorView(operator).group);
  return [...groups].map(([group, values]) => ({
    group,
    items: values.map(value => ({ value, label: operatorView(value).label })),
  }));
}

export const isGroup = (condition: unknown): condition is JsonObject =>
  isObject(condition) && Array.isArray(condition.conditions);

export const NEW_COMPARISON: JsonObject = { left: '', operator: '==', right: '' };

export function newGroup(): JsonObject {
  return { combine: 'and', conditions: [NEW_COMPARISON] };
}

/** Adds a condition to a group. A single comparison becomes the first of a group. */
export function withAdded(condition: unknown, added: JsonObject): JsonObject {
  if (!isGroup(condition)) return { combine: 'and', conditions: [condition ?? NEW_COMPARISON, added] };
  return { ...condition, conditions: [...listOf(condition.conditions), added] };
}

/** Removes a condition of a group. The last one that remains replaces the group, unless the group negates it. */
export function withRemoved(group: JsonObject, index: number): JsonObject {
  const rest = listOf(group.conditions).toSpliced(index, 1);
  const [last] = rest;
  return rest.length === 1 && group.combine !== 'not' && isObject(last) ? last : { ...group, conditions: rest };
}

/** Sets the operator and converts the right side to the form that the operator takes. Placeholders are kept. */
export function withOperator(comparison: JsonObject, operator: string): JsonObject {
  const { right, ...rest } = comparison;
  const side = operatorView(operator).right;
  const next = { ...rest, operator };
  if (side === 'none') return next;
  if (typeof right === 'string' && right.includes('{{')) return { ...next, right };
  if (side === 'range') return { ...next, right: [listOf(right)[0] ?? '', listOf(right)[1] ?? ''] };
  if (side === 'list')
    return { ...next, right: Array.isArray(right) ? right : [right ?? ''].filter(one => one !== '') };
  return { ...next, right: Array.isArray(right) ? (right[0] ?? '') : (right ?? '') };
}
