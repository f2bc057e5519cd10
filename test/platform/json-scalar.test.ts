import { isDeepStrictEqual } from 'node:util';
import { expect, it } from '@jest/globals';
import { parseValue } from 'graphql';
import { JSONValue } from '../../src/platform/json/scalars.js';

it.each([
  ['{ a: [1, { b: null, c: $v }], d: 1.5, e: true }', '{"a":[1,{"b":null,"c":{"f":"x"}}],"d":1.5,"e":true}'],
  ['{ __proto__: "x" }', '{"__proto__":"x"}'],
  ['[{}]', '[{}]'],
  ['"text"', '"text"'],
  ['null', 'null'],
])('the JSON literal %s has the value of a variable', (literal, json) => {
  const value = JSONValue.parseLiteral(parseValue(literal), { v: { f: 'x' } });
  expect(isDeepStrictEqual(value, JSON.parse(json))).toBe(true);
});
