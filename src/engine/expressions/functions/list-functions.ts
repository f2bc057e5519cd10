import { compare } from '../../conditions/compare.js';
import { isObject, type JsonObject, setOwn } from '../../json-value.js';
import { type Evaluation, failure } from '../evaluation.js';
import { typeOf } from '../value-types.js';
import { defineFunction, type ItemFunction } from './function-kind.js';
import { cut } from './text-functions.js';

const MAX_RANGE = 10_000;
const MAX_FLATTENED = 4;

/** Order of types in a sorted list. */
const RANKS: Readonly<Record<string, number>> = { null: 0, boolean: 1, number: 2, text: 3, list: 4, map: 5 };

interface SortEntry {
  item: unknown;
  rank: number;
  key: number | string;
}

function sortEntry(evaluation: Evaluation, item: unknown, key: unknown): SortEntry {
  const type = typeOf(key);
  return { item, rank: RANKS[type] ?? 0, key: typeof key === 'number' ? key : evaluation.toText(key) };
}

function order(a: SortEntry, b: SortEntry): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.key === b.key) return 0;
  return a.key < b.key ? -1 : 1;
}

function sortItems(evaluation: Evaluation, list: readonly unknown[], key?: ItemFunction, direction = 'asc'): unknown[] {
  if (direction !== 'asc' && direction !== 'desc') throw failure('the order of sort is "asc" or "desc"');
  const comparisons = Math.ceil(Math.log2(list.length + 1));
  evaluation.charge(list.length * comparisons);
  const entries = list.map((item, index) => sortEntry(evaluation, item, key ? key(item, index) : item));
  for (const { key: text } of entries)
    if (typeof text === 'string') evaluation.charge((text.length >> 8) * comparisons);
  const sign = direction === 'asc' ? 1 : -1;
  return entries.sort((a, b) => sign * order(a, b)).map(({ item }) => item);
}

function flatten(evaluation: Evaluation, list: readonly unknown[], depth = 1): unknown[] {
  if (depth > MAX_FLATTENED) throw failure(`the depth of flatten is at most ${MAX_FLATTENED}`);
  let items: unknown[] = [...list];
  for (let level = 0; level < depth && items.some(Array.isArray); level++) {
    evaluation.charge(items.reduce<number>((sum, item) => sum + (Array.isArray(item) ? item.length : 1), 0));
    items = items.flat();
  }
  return items;
}

function range(evaluation: Evaluation, start: number, end?: number, step = 1): number[] {
  const [from, to] = end === undefined ? [0, start] : [start, end];
  if (step === 0) throw failure('the step of range must not be 0');
  const count = Math.max(0, Math.ceil((to - from) / step));
  if (count > MAX_RANGE) throw failure(`range makes at most ${MAX_RANGE} numbers`);
  evaluation.charge(count);
  const numbers: number[] = [];
  for (let index = 0; index < count; index++) numbers.push(from + index * step);
  return numbers;
}

function slice(_: Evaluation, value: unknown, start: number, end?: number): unknown {
  if (Array.isArray(value)) return value.slice(start, end);
  if (typeof value !== 'string') throw failure('slice takes a list or a text');
  const at = (index: number) => (index < 0 ? Math.max(0, value.length + index) : Math.min(index, value.length));
  return cut(value, at(start), at(end ?? value.length));
}

/** Returns true if the container has the value: an item of a list, a part of a text, or a name of a map. */
export function contains(evaluation: Evaluation, container: unknown, value: unknown): boolean {
  if (Array.isArray(container)) {
    evaluation.charge(container.length);
    const wanted = toComparable(evaluation, value);
    return container.some(item => compare(toComparable(evaluation, item), '==', wanted));
  }
  if (isObject(container)) return Object.hasOwn(container, evaluation.toText(value));
  const [text, part] = [evaluation.toText(container), evaluation.toText(value)];
  evaluation.charge((text.length + part.length) >> 8);
  return text.includes(part);
}

/** Prepares a value for `compare`, which compares lists and maps as JSON texts. The conversion here is charged, one there is not. */
export function toComparable(evaluation: Evaluation, value: unknown): unknown {
  if (typeof value === 'string') evaluation.chargeText(value.length);
  return typeof value === 'object' && value !== null ? evaluation.toText(value) : value;
}

function groupItems(evaluation: Evaluation, list: readonly unknown[], key: ItemFunction): JsonObject {
  const groups = new Map<string, unknown[]>();
  for (const [index, item] of list.entries()) {
    const name = toKey(evaluation, key(item, index));
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  const result: JsonObject = {};
  for (const [name, group] of groups) setOwn(result, name, group);
  return result;
}

function uniqueItems(evaluation: Evaluation, list: readonly unknown[], key?: ItemFunction): unknown[] {
  const seen = new Set<string>();
  return list.filter((item, index) => {
    const value = key ? key(item, index) : item;
    const text = `${typeOf(value)} ${toKey(evaluation, value)}`;
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

/** Converts a value to a text by which items are looked up. A lookup reads the whole text. */
function toKey(evaluation: Evaluation, value: unknown): string {
  const text = evaluation.toText(value);
  evaluation.charge(text.length >> 8);
  return text;
}

/** Swaps rows and columns: `[1, 2], ["a", "b"]` becomes `[[1, "a"], [2, "b"]]`. */
function zip(evaluation: Evaluation, ...lists: (readonly unknown[])[]): unknown[][] {
  const length = Math.max(0, ...lists.map(list => list.length));
  evaluation.charge(length * lists.length);
  return Array.from({ length }, (_, index) => lists.map(list => list[index] ?? null));
}

/** Functions of lists. */
export const listFunctions = [
  defineFunction(
    'length(value: any): number',
    'The number of items of a list, members of a map, or characters of a text (UTF-16 code units).',
    [
      ['length([1, 2])', 2],
      ['length("abc")', 3],
    ],
    (evaluation, value: unknown) => {
      if (typeof value === 'string' || Array.isArray(value)) return value.length;
      if (isObject(value)) return evaluation.countMembers(value);
      throw failure('length takes a list, a map or a text');
    },
  ),
  defineFunction(
    'first(list: list): any',
    'The first item. It has no value if the list is empty.',
    [['first([3, 4])', 3]],
    (_, list: readonly unknown[]) => list[0],
  ),
  defineFunction(
    'last(list: list): any',
    'The last item. It has no value if the list is empty.',
    [['last([3, 4])', 4]],
    (_, list: readonly unknown[]) => list.at(-1),
  ),
  defineFunction(
    'slice(value: any, start: integer, end?: integer): any',
    'The part of a list or text from position `start` up to, but not including, `end`. Negative positions count from the end.',
    [
      ['slice([1, 2, 3], 1)', [2, 3]],
      ['slice("workflow", -4)', 'flow'],
    ],
    slice,
  ),
  defineFunction(
    'reverse(list: list): list',
    'The items in reverse order.',
    [['reverse([1, 2])', [2, 1]]],
    (_, list: readonly unknown[]) => list.toReversed(),
  ),
  defineFunction(
    'map(list: list, value: function): list',
    'The results of a function for all items.',
    [['map([{a: 1}, {a: 2}], x => x.a)', [1, 2]]],
    (_, list: readonly unknown[], value: ItemFunction) => list.map(value),
  ),
  defineFunction(
    'filter(list: list, test: function): list',
    'The items for which a function is true.',
    [['filter([1, 5, 9], x => x > 4)', [5, 9]]],
    (evaluation, list: readonly unknown[], test: ItemFunction) =>
      list.filter((item, index) => evaluation.isTrue(test(item, index))),
  ),
  defineFunction(
    'find(list: list, test: function): any',
    'The first item for which a function is true; null if there is none.',
    [['find([1, 5, 9], x => x > 4)', 5]],
    (evaluation, list: readonly unknown[], test: ItemFunction) =>
      list.find((item, index) => evaluation.isTrue(test(item, index))) ?? null,
  ),
  defineFunction(
    'any(list: list, test: function): boolean',
    'Whether a function is true for at least one item.',
    [['any([1, 5], x => x > 4)', true]],
    (evaluation, list: readonly unknown[], test: ItemFunction) =>
      list.some((item, index) => evaluation.isTrue(test(item, index))),
  ),
  defineFunction(
    'all(list: list, test: function): boolean',
    'Whether a function is true for all items.',
    [['all([1, 5], x => x > 4)', false]],
    (evaluation, list: readonly unknown[], test: ItemFunction) =>
      list.every((item, index) => evaluation.isTrue(test(item, index))),
  ),
  defineFunction(
    'sort(list: list, key?: function, order?: text): list',
    'The items in order of a key (default: the item itself), `"asc"` or `"desc"`: null, false, true, numbers, texts by code units.',
    [
      ['sort([3, 1, 2])', [1, 2, 3]],
      ['sort([{a: 1}, {a: 2}], x => x.a, "desc")', [{ a: 2 }, { a: 1 }]],
    ],
    sortItems,
  ),
  defineFunction(
    'unique(list: list, key?: function): list',
    'The items without repetitions of a key (default: the item itself). The first of equal items stays.',
    [['unique([1, 2, 1])', [1, 2]]],
    uniqueItems,
  ),
  defineFunction(
    'group(list: list, key: function): map',
    'A map from each key to the list of its items.',
    [['group([1, 2, 3], x => x > 1 ? "big" : "small")', { small: [1], big: [2, 3] }]],
    groupItems,
  ),
  defineFunction(
    'join(value: any, separator?: text): any',
    'The items of a list as one text, separated by `separator` (default `,`). Other values stay unchanged.',
    [['join(["a", "b"], " and ")', 'a and b']],
    (evaluation, value: unknown, separator = ',') => {
      // As the first version of the filter, which stored graphs use.
      if (!Array.isArray(value)) return value;
      evaluation.charge(value.length);
      const texts = value.map(item => evaluation.toText(item));
      evaluation.chargeCreatedText(texts.reduce((sum, text) => sum + text.length + separator.length, 0));
      return texts.join(separator);
    },
  ),
  defineFunction(
    'flatten(list: list, depth?: count): list',
    'The items of lists in a list, for 1 level or up to 4.',
    [['flatten([1, [2, [3]]])', [1, 2, [3]]]],
    flatten,
  ),
  defineFunction(
    'chunk(list: list, size: count): list',
    'The items in lists of at most `size` items.',
    [['chunk([1, 2, 3], 2)', [[1, 2], [3]]]],
    (_, list: readonly unknown[], size: number) => {
      if (size === 0) throw failure('the size of chunk must be at least 1');
      return Array.from({ length: Math.ceil(list.length / size) }, (__, index) =>
        list.slice(index * size, (index + 1) * size),
      );
    },
  ),
  defineFunction(
    'zip(...lists: list): list',
    'A list of lists with one item of each list; null where a list is shorter.',
    [
      [
        'zip([1, 2], ["a", "b"])',
        [
          [1, 'a'],
          [2, 'b'],
        ],
      ],
    ],
    zip,
  ),
  defineFunction(
    'range(start: number, end?: number, step?: number): list',
    'The numbers from `start` up to, but not including, `end`; with one argument from 0. At most 10,000.',
    [
      ['range(3)', [0, 1, 2]],
      ['range(1, 6, 2)', [1, 3, 5]],
    ],
    range,
  ),
  defineFunction(
    'contains(container: any, value: any): boolean',
    'Whether a list has the item, a text the part, or a map the name.',
    [
      ['contains([1, 2], 2)', true],
      ['contains("workflow", "flow")', true],
    ],
    contains,
  ),
];
