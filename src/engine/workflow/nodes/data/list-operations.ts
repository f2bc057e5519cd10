import { compare, numberOf } from '../../../conditions/compare.js';
import { createComparer } from '../../../conditions/condition.js';
import { resolvePath } from '../../../expressions/resolve.js';
import { canonicalJson, isObject, type JsonObject, setOwn, textOf } from '../../../json-value.js';
import { testCondition } from '../flow/test-condition.js';
import type { ListOperation } from './list-settings.js';

type Items = readonly unknown[];

/** Applies one operation to a list. `other` is the second list of `join`. */
export function applyOperation(items: Items, operation: ListOperation, other: Items): unknown[] {
  const { field } = operation;
  switch (operation.operation) {
    case 'filter':
      return filterItems(items, operation);
    case 'sort':
      return sortItems(items, field, operation.order === 'desc' ? -1 : 1);
    case 'limit': {
      const offset = operation.offset ?? 0;
      return items.slice(offset, operation.count == null ? undefined : offset + operation.count);
    }
    case 'aggregate':
      return aggregate(items, operation);
    case 'split':
      return items.flatMap(item => split(item, field, operation.separator ?? '\n'));
    case 'dedupe':
      return firstOfEach(items, field);
    case 'join':
      return join(items, other, operation);
  }
}

function filterItems(items: Items, { field, operator, value, ignore_case }: ListOperation): unknown[] {
  return testCondition(() => {
    const isKept = createComparer({ operator: operator ?? '==', right: value ?? null, ignore_case });
    return items.filter(item => isKept(valueAt(item, field)));
  });
}

/** Returns the value at a dotted path, or the item itself without a path; null: no value. */
function valueAt(item: unknown, path: string | null | undefined): unknown {
  return (path ? resolvePath(item, path.split('.')) : item) ?? null;
}

function sortItems(items: Items, field: string | null | undefined, sign: 1 | -1): unknown[] {
  const keyed = items.map(item => ({ item, key: valueAt(item, field) }));
  return keyed.toSorted((a, b) => sign * orderOf(a.key, b.key)).map(({ item }) => item);
}

/** Numbers come before texts, so that the order is total. Null comes last in ascending order. */
function orderOf(a: unknown, b: unknown): number {
  const byRank = rankOf(a) - rankOf(b);
  if (byRank !== 0) return byRank;
  if (compare(a, '==', b)) return 0;
  return compare(a, '<', b) ? -1 : 1;
}

function rankOf(value: unknown): number {
  if (value === null) return 2;
  return numberOf(value) === undefined ? 1 : 0;
}

function aggregate(items: Items, { field, function: name, group_by }: ListOperation): unknown[] {
  const groups = new Map<string, { key: unknown; items: unknown[] }>();
  if (!group_by) groups.set('', { key: null, items: [...items] });
  else
    for (const item of items) {
      const key = valueAt(item, group_by);
      const id = canonicalJson(key);
      const group = groups.get(id) ?? { key, items: [] };
      group.items.push(item);
      groups.set(id, group);
    }
  return [...groups.values()].map(group => ({
    key: group.key,
    value: aggregateValues(
      group.items.map(item => valueAt(item, field)),
      name ?? 'count',
    ),
  }));
}

function aggregateValues(values: Items, name: NonNullable<ListOperation['function']>): unknown {
  if (name === 'count') return values.length;
  if (name === 'collect') return values;
  const numbers = values.map(numberOf).filter(value => value !== undefined);
  const sum = numbers.reduce((total, value) => total + value, 0);
  if (name === 'sum') return sum;
  if (numbers.length === 0) return null;
  if (name === 'average') return sum / numbers.length;
  // Spreading a long list would exceed the limit of arguments.
  return numbers.reduce((best, value) => (name === 'min' ? Math.min(best, value) : Math.max(best, value)));
}

/** Each element replaces the field of a copy of the item, or the item itself. */
function split(item: unknown, field: string | null | undefined, separator: string): unknown[] {
  const value = valueAt(item, field);
  const parts = Array.isArray(value) ? (value as unknown[]) : textOf(value ?? '').split(separator);
  if (!field || !isObject(item)) return parts;
  return parts.map(part => withValue(item, field.split('.'), part));
}

function withValue(item: JsonObject, [key = '', ...rest]: string[], value: unknown): JsonObject {
  const copy = { ...item };
  const inner = item[key];
  setOwn(copy, key, rest.length > 0 && isObject(inner) ? withValue(inner, rest, value) : value);
  return copy;
}

function firstOfEach(items: Items, field: string | null | undefined): unknown[] {
  const seen = new Set<string>();
  return items.filter(item => {
    const id = canonicalJson(valueAt(item, field));
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

/** Members of the first list win over members of the second. */
function join(items: Items, others: Items, { key, keep_unmatched }: ListOperation): unknown[] {
  const byKey = new Map<string, JsonObject>();
  for (const other of others) {
    const id = textOf(valueAt(other, key));
    if (isObject(other) && !byKey.has(id)) byKey.set(id, other);
  }
  return items.flatMap(item => {
    const match = isObject(item) ? byKey.get(textOf(valueAt(item, key))) : undefined;
    if (!match) return (keep_unmatched ?? true) ? [item] : [];
    return [{ ...match, ...(item as JsonObject) }];
  });
}
