import { isObject, type JsonObject, setOwn } from '../../json-value.js';
import { type Evaluation, failure } from '../evaluation.js';
import { isForbidden } from '../references.js';
import { defineFunction } from './function-kind.js';

function merge(evaluation: Evaluation, ...maps: JsonObject[]): JsonObject {
  const merged: JsonObject = {};
  for (const map of maps) {
    evaluation.charge(Object.keys(map).length);
    for (const [key, value] of Object.entries(map)) setOwn(merged, key, value);
  }
  return merged;
}

function toMap(evaluation: Evaluation, list: readonly unknown[]): JsonObject {
  const map: JsonObject = {};
  for (const item of list) {
    const entry: unknown = isObject(item) ? [item.key, item.value] : item;
    if (!Array.isArray(entry) || entry.length !== 2 || entry[0] === undefined || entry[1] === undefined)
      throw failure('to_map takes a list of [key, value] or {key, value}');
    setOwn(map, evaluation.toText(entry[0]), entry[1]);
  }
  return map;
}

function selectMembers(evaluation: Evaluation, map: JsonObject, keys: readonly unknown[], isPick: boolean): JsonObject {
  const names = new Set(keys.map(key => evaluation.toText(key)));
  return Object.fromEntries(Object.entries(map).filter(([key]) => names.has(key) === isPick));
}

/** Functions of maps. */
export const mapFunctions = [
  defineFunction(
    'keys(map: map): list',
    'The names of the members.',
    [['keys({a: 1, b: 2})', ['a', 'b']]],
    (_, map: JsonObject) => Object.keys(map),
  ),
  defineFunction(
    'values(map: map): list',
    'The values of the members.',
    [['values({a: 1, b: 2})', [1, 2]]],
    (_, map: JsonObject) => Object.values(map),
  ),
  defineFunction(
    'entries(map: map): list',
    'The members as maps with `key` and `value`.',
    [['entries({a: 1})', [{ key: 'a', value: 1 }]]],
    (_, map: JsonObject) => Object.entries(map).map(([key, value]) => ({ key, value })),
  ),
  defineFunction(
    'to_map(list: list): map',
    'A map from a list of `{key, value}` or `[key, value]`.',
    [['to_map([["a", 1]])', { a: 1 }]],
    toMap,
  ),
  defineFunction(
    'merge(...maps: map): map',
    'The members of all maps. Of members with the same name the last one stays.',
    [['merge({a: 1, b: 1}, {b: 2})', { a: 1, b: 2 }]],
    merge,
  ),
  defineFunction(
    'pick(map: map, keys: list): map',
    'The members with the given names.',
    [['pick({a: 1, b: 2}, ["a"])', { a: 1 }]],
    (evaluation, map: JsonObject, keys: readonly unknown[]) => selectMembers(evaluation, map, keys, true),
  ),
  defineFunction(
    'omit(map: map, keys: list): map',
    'The members without the given names.',
    [['omit({a: 1, b: 2}, ["a"])', { b: 2 }]],
    (evaluation, map: JsonObject, keys: readonly unknown[]) => selectMembers(evaluation, map, keys, false),
  ),
  defineFunction(
    'get(map: map, key: text): any',
    'The member with a computed name. It has no value if the map has no such member.',
    [['get({a: 1}, "a")', 1]],
    (_, map: JsonObject, key: string) => (!isForbidden(key) && Object.hasOwn(map, key) ? map[key] : undefined),
  ),
];
