import { expect, it } from '@jest/globals';
import { canonicalJson } from '../../src/engine/json-value.js';

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
