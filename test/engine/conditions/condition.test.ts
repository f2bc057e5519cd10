import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compare, operators } from '../../../src/engine/conditions/compare.js';
import {
  CONDITION_OPERATORS,
  type Condition,
  type ConditionOperator,
  holds,
  isMet,
} from '../../../src/engine/conditions/condition.js';
import { ConditionError } from '../../../src/engine/conditions/condition-error.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 300);

const rows: [left: unknown, operator: ConditionOperator, right: unknown, result: boolean][] = [
  ['10', '>', 9, true],
  ['a', '==', 'a', true],
  ['a', '!=', 'A', true],
  ['workflow', 'contains', 'flow', true],
  ['workflow', 'not_contains', 'Flow', true],
  [[1, '2'], 'contains', 2, true],
  [{ a: 1 }, 'contains', 'a', true],
  [{ a: 1 }, 'contains', 'constructor', false],
  ['invoice 7', 'starts_with', 'invoice', true],
  ['a.pdf', 'ends_with', '.pdf', true],
  [17, 'starts_with', '1', true],
  ['order 17', 'matches', '[0-9]+$', true],
  ['order', 'matches', '^[0-9]', false],
  ['a'.repeat(5000), 'matches', '(a+)+b', false],
  ['de', 'in', ['en', 'de'], true],
  ['de', 'in', 'en, de', true],
  ['5', 'in', '[1, 5]', true],
  ['fr', 'not_in', 'en,de', true],
  [5, 'between', [1, 5], true],
  ['6', 'between', '1,5', false],
  ['2026-02-01', 'between', ['2026-01-01', '2026-03-01'], true],
  [undefined, 'exists', undefined, false],
  [null, 'not_exists', undefined, true],
  ['', 'exists', undefined, true],
  [' ', 'empty', undefined, true],
  [[], 'empty', undefined, true],
  [0, 'not_empty', undefined, true],
  ['1', 'is_text', undefined, true],
  ['1', 'is_number', undefined, false],
  [1, 'is_number', undefined, true],
  [false, 'is_boolean', undefined, true],
  [[1], 'is_list', undefined, true],
  [{}, 'is_object', undefined, true],
  [[], 'is_object', undefined, false],
  ['2026-03-01', 'before', '2026-03-01T00:00:01Z', true],
  ['2026-03-01T01:00:00+02:00', 'after', '2026-02-28T22:00:00Z', true],
  ['2026-03-01T23:59:00Z', 'on_date', '2026-03-01', true],
];

describe('a comparison', () => {
  test.each(rows)('%j %s %j is %j', (left, operator, right, result) => {
    expect(isMet({ left, operator, right })).toBe(result);
  });

  test('is tested for each operator', () => {
    const tested = new Set<string>([...rows.map(([, operator]) => operator), ...operators]);
    expect(CONDITION_OPERATORS.filter(operator => !tested.has(operator))).toEqual([]);
  });

  test.each<[unknown, ConditionOperator, unknown]>([
    ['Rome', '==', 'rOME'],
    ['Workflow', 'contains', 'FLOW'],
    [['Rome'], 'contains', 'rOME'],
    [{ City: 1 }, 'contains', 'cITY'],
    ['Workflow', 'starts_with', 'work'],
    ['Workflow', 'ends_with', 'FLOW'],
    ['ABC', 'matches', '^[a-c]+$'],
    ['DE', 'in', ['en', 'de']],
  ])('ignores case on request: %j %s %j', (left, operator, right) => {
    expect([isMet({ left, operator, right, ignore_case: true }), isMet({ left, operator, right })]).toEqual([
      true,
      false,
    ]);
  });

  test.each<[unknown, ConditionOperator, unknown, string]>([
    [1, 'between', [1], 'right: must be a list of the least and the greatest value'],
    [1, 'in', 5, 'right: must be a list, or a text with commas'],
    ['soon', 'before', '2026-01-01', 'left: must be a date in ISO 8601, such as 2026-03-01'],
    ['a', 'matches', '(', expect.stringContaining('must be a pattern in the syntax of RE2') as unknown as string],
  ])('of unsuitable values fails: %j %s %j', (left, operator, right, message) => {
    expect(() => isMet({ left, operator, right })).toThrow(expect.objectContaining({ message }));
  });
});

const value = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null));
const comparison = fc.record<Condition>({ left: value, operator: fc.constantFrom(...operators), right: value });
const condition = fc.letrec<{ any: Condition }>(tie => ({
  any: fc.oneof(
    { maxDepth: 3 },
    comparison,
    fc.record({
      combine: fc.constantFrom('and' as const, 'or' as const, 'not' as const),
      conditions: fc.array(tie('any'), { maxLength: 4 }),
    }),
  ),
})).any;

describe('a group of conditions', () => {
  test('combines its conditions', () => {
    const yes: Condition = { left: 1, operator: '==', right: 1 };
    const no: Condition = { left: 1, operator: '==', right: 2 };
    expect(holds({ conditions: [yes, no] })).toBe(false);
    expect(holds({ combine: 'or', conditions: [no, yes] })).toBe(true);
    expect(holds({ combine: 'not', conditions: [no, no] })).toBe(true);
    expect(holds({ combine: 'or', conditions: [{ combine: 'not', conditions: [yes] }, no] })).toBe(false);
    expect([holds({ conditions: [] }), holds({ combine: 'or', conditions: [] })]).toEqual([true, false]);
  });

  test('follows the laws of logic for any conditions', () => {
    fc.assert(
      fc.property(fc.array(condition, { maxLength: 4 }), conditions => {
        expect(holds({ combine: 'not', conditions })).toBe(!holds({ combine: 'or', conditions }));
        const negated = conditions.map((each): Condition => ({ combine: 'not', conditions: [each] }));
        expect(holds({ combine: 'and', conditions })).toBe(holds({ combine: 'not', conditions: negated }));
      }),
      { numRuns: RUNS },
    );
  });

  test('compares with the six operators of the specification like `compare`, and throws only ConditionError', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(...CONDITION_OPERATORS), value, (left, operator, right) => {
        const six = operators.find(each => each === operator);
        if (six) expect(isMet({ left, operator, right })).toBe(compare(left, six, right));
        try {
          expect(typeof isMet({ left, operator, right, ignore_case: true })).toBe('boolean');
        } catch (error) {
          expect(error).toBeInstanceOf(ConditionError);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
