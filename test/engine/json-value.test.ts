import { expect, it } from '@jest/globals';
import { canonicalJson, parseJsonText } from '../../src/engine/json-value.js';

it.each([
  [
    { b: 1, a: { d: 1, c: 2 } },
    { a: { c: 2, d: 1 }, b: 1 },
  ],
  [[{ b: 1, a: 2 }], [{ a: 2, b: 1 }]],
  [{ a: 1, b: undefined }, { a: 1 }],
])('equal values are equal texts: %j', (left, right) => {
  expect(canonicalJson(left)).toBe(canonicalJson(right));
});

it.each([
  [{ a: null }, {}],
  [
    [1, 2],
    [2, 1],
  ],
  [{ a: '1' }, { a: 1 }],
  [JSON.parse('{"__proto__":1}'), {}],
])('other values are other texts: %j', (left, right) => {
  expect(canonicalJson(left)).not.toBe(canonicalJson(right));
});

it.each([
  '{"a":1}',
  '```json\n{"a":1}\n```',
  '```\n{"a":1}',
  '```json {"a":1}```',
  '```JSON{"a":1}```',
  '```{"a":1}```',
])('parses JSON with or without a code fence: %j', text => {
  expect(parseJsonText(text)).toEqual({ a: 1 });
});

it('parses a word in a code fence of one line', () => {
  expect(parseJsonText('```true```')).toBe(true);
});
