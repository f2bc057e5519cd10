import { output } from '../../support/graphs.js';
import { type GraphCase, named, wired } from '../graph-case.js';

/** A condition that selects the output `yes` or `no`. */
function branch(name: string, condition: unknown, expected: boolean): GraphCase {
  const nodes = [
    named('if', 'if-else-node', { condition }),
    { ...output('yes'), id: 'yes' },
    { ...output('no'), id: 'no' },
  ];
  const data = wired(nodes, ['t>if', 'if:condition-true>yes', 'if:condition-false>no']);
  return { name, data, output: expected ? 'yes' : 'no', input: { list: [1, 2], text: 'Grün', none: null } };
}

const OPERATORS: [left: unknown, operator: string, right: unknown, expected: boolean][] = [
  [10, '==', '10.0', true],
  ['a', '!=', 'b', true],
  [10, '>', 9, true],
  ['abc', '<', 'abd', true],
  [5, '>=', 6, false],
  [5, '<=', 5, true],
  ['{{ input.text }}', 'contains', 'rü', true],
  ['{{ input.list }}', 'contains', 2, true],
  ['{{ input.text }}', 'not_contains', 'x', true],
  ['{{ input.text }}', 'starts_with', 'Gr', true],
  ['{{ input.text }}', 'ends_with', 'x', false],
  ['order 17', 'matches', '^order [0-9]+$', true],
  ['b', 'in', 'a,b,c', true],
  ['d', 'not_in', ['a', 'b'], true],
  [5, 'between', [1, 9], true],
  [10, 'between', [1, 9], false],
  ['{{ input.text }}', 'exists', null, true],
  ['{{ input.none }}', 'not_exists', null, true],
  [' ', 'empty', null, true],
  ['{{ input.list }}', 'not_empty', null, true],
  ['x', 'is_text', null, true],
  ['{{ input.list }}', 'is_list', null, true],
  ['{{ input.list.0 }}', 'is_number', null, true],
  ['2026-01-01', 'before', '2026-01-02', true],
  ['2026-01-03T00:00:00Z', 'after', '2026-01-02', true],
  ['2026-01-02T10:00:00Z', 'on_date', '2026-01-02', true],
];

const test = (left: unknown, operator: string, right: unknown) => ({ left, operator, right });

const GROUPS: GraphCase[] = [
  branch('a group with and', { combine: 'and', conditions: [test(1, '==', 1), test(2, '>', 3)] }, false),
  branch('a group with or', { combine: 'or', conditions: [test(1, '==', 2), test(2, '<', 3)] }, true),
  branch('a group with not', { combine: 'not', conditions: [test(1, '==', 2), test(2, '>', 3)] }, true),
  branch(
    'a group in a group',
    { conditions: [test(1, '==', 1), { combine: 'or', conditions: [test(1, '==', 2), test('a', '==', 'a')] }] },
    true,
  ),
  branch('a comparison that ignores case', { ...test('ADA', '==', 'ada'), ignore_case: true }, true),
];

/** Selects `case-0`, `case-1` or the default. */
function choice(name: string, value: unknown, data: object, expected: unknown): GraphCase {
  const nodes = [named('switch', 'switch-node', { value, ...data }), { ...output(), id: 'end' }];
  const arrows = ['t>switch', 'switch:case-0>end', 'switch:case-1>end', 'switch:default>end'];
  return { name, data: wired(nodes, arrows), output: expected };
}
const LANGUAGES = { cases: [{ equals: 'en' }, { equals: 'de' }] };
const RANGES = {
  cases: [
    { operator: 'between', right: [1, 9] },
    { operator: '>', right: 5 },
  ],
};

const SWITCHES: GraphCase[] = [
  choice('the first case of a switch', 'en', LANGUAGES, 'en'),
  choice('the second case of a switch', 'de', LANGUAGES, 'de'),
  choice('the default of a switch', 'fr', LANGUAGES, 'default'),
  choice('a range of a switch', 3, RANGES, 'case-0'),
  choice('the first of two ranges', 7, RANGES, 'case-0'),
  choice('a comparison of a switch', 12, RANGES, 'case-1'),
  choice('all cases of a switch', 7, { ...RANGES, match: 'all' }, ['case-0', 'case-1']),
  choice(
    'a switch that ignores case',
    'EN',
    { cases: [{ operator: '==', right: 'en', ignore_case: true }, { equals: 'x' }] },
    'case-0',
  ),
];

export const CONDITIONS: GraphCase[] = [
  ...OPERATORS.map(([left, operator, right, expected], index) =>
    branch(`operator ${operator} (${index + 1})`, test(left, operator, right), expected),
  ),
  ...GROUPS,
  ...SWITCHES,
];
