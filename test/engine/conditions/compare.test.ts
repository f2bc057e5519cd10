import { describe, expect, test } from '@jest/globals';
import { compare, type Operator } from '../../../src/engine/conditions/compare.js';

describe('a comparison of two values', () => {
  test.each<[unknown, Operator, unknown, boolean]>([
    [10, '>', 9, true],
    ['10', '>', '9', true],
    ['10', '>', 'nine', false],
    ['abc', '<', 'abd', true],
    ['1.0', '==', 1, true],
    [' 5 ', '==', '5', true],
    ['1e3', '>=', 1000, true],
    ['0x10', '==', '16', false],
    ['', '==', '0', false],
    ['12345678901234567890', '!=', '12345678901234567891', true],
    ['-0.5', '<=', '-.5', true],
    [true, '==', 'true', true],
    [null, '==', 'null', true],
    [{ a: 1 }, '==', '{"a":1}', true],
    ['Infinity', '>', '5', true],
  ])('%j %s %j is %s', (left, operator, right, expected) => {
    expect(compare(left, operator, right)).toBe(expected);
  });
});
