import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { ifElse, output, run, short, switchNode, trigger, workflow } from '../samples.js';

const t = trigger('t');
const context = { servesModel: () => true };
const branching = (condition: JsonObject) =>
  workflow(
    [t, ifElse('if', { condition }), output('yes'), output('no')],
    ['t>if', 'if:condition-true>yes', 'if:condition-false>no'],
  );
const problemsOf = (condition: JsonObject) =>
  checkWorkflow(branching(condition), context).issues.map(({ path, message }) => `${path}: ${message}`);

describe('an if-else node', () => {
  test('tests a group of conditions', async () => {
    const data = branching({
      combine: 'or',
      conditions: [
        { left: '{{ input.name }}', operator: 'starts_with', right: 'ada', ignore_case: true },
        { combine: 'and', conditions: [{ left: '{{ input.n }}', operator: 'between', right: [1, 3] }] },
      ],
    });
    expect(short(await run(data, { input: { name: 'ADA L', n: 9 } }))).toContain('if=true');
    expect(short(await run(data, { input: { name: 'Bob', n: '2' } }))).toContain('if=true');
    expect(short(await run(data, { input: { name: 'Bob', n: 4 } }))).toContain('if=false');
  });

  test('tests whether a placeholder has a value', async () => {
    const data = branching({ left: '{{ input.name }}', operator: 'exists' });
    expect(checkWorkflow(data, context).is_valid).toBe(true);
    expect(short(await run(data))).toContain('if=false');
    expect(short(await run(data, { input: { name: '' } }))).toContain('if=true');
  });

  test('fails for a value that the operator cannot compare', async () => {
    const data = branching({ left: 'soon', operator: 'before', right: '2026-01-01' });
    expect(short(await run(data))).toContain('if!invalid_condition');
  });

  test.each<[JsonObject, string]>([
    [{ left: 1, right: 2 }, 'condition.operator: required'],
    [{ operator: '==', right: 2 }, 'condition.left: required'],
    [{ left: 1, operator: 'contains' }, 'condition.right: required'],
    [{ left: 1, operator: '=~', right: 2 }, expect.stringMatching(/^condition.operator: must be one of /) as never],
    [
      { left: 1, operator: 'matches', right: '(' },
      expect.stringContaining('condition.right: must be a pattern') as never,
    ],
    [{ conditions: [{ left: 1, operator: '==' }] }, 'condition.conditions.0.right: required'],
    // An error, because a left side without the group would be a comparison. Other members of comparisons are warnings.
    [{ left: 1, conditions: [] }, 'condition.left: must be absent in a group of conditions'],
    [
      { conditions: [{ conditions: [{ conditions: [{ conditions: [] }] }] }] },
      'condition.conditions.0.conditions.0.conditions.0.conditions: groups must be nested at most 3 deep',
    ],
  ])('is refused with %j', (condition, problem) => {
    expect(problemsOf(condition)).toContainEqual(problem);
  });

  test.each<[JsonObject, string, string]>([
    [{ left: 1, operator: 'in', right: 5 }, 'condition.right', 'must be a list, or a text with commas'],
    [
      { conditions: [{ left: 1, operator: 'between', right: [1] }] },
      'condition.conditions.0.right',
      'must be a list of the least and the greatest value',
    ],
    [
      { left: '{{ now }}', operator: 'before', right: 'soon' },
      'condition.right',
      'must be a date in ISO 8601, such as 2026-03-01',
    ],
    [
      { conditions: [{ left: 1, operator: '==', right: 1 }], operator: '==' },
      'condition.operator',
      'has no effect in a group of conditions',
    ],
  ])('is valid with %j, with a warning', (condition, path, message) => {
    const { is_valid, issues } = checkWorkflow(branching(condition), context);
    expect([is_valid, issues]).toEqual([true, [expect.objectContaining({ severity: 'warning', path, message })]]);
  });

  test.each<JsonObject>([
    { left: 1, operator: 'in', right: '1,2' },
    { left: 1, operator: 'between', right: ['{{ input.min }}', 9] },
    { left: 1, operator: 'between', right: '{{ input.range }}' },
    { left: '{{ now }}', operator: 'before', right: '2026-03-01' },
  ])('has no warning with %j', condition => {
    const { issues } = checkWorkflow(branching(condition), context);
    expect(issues.filter(({ code }) => code === 'invalid_condition')).toEqual([]);
  });
});

describe('a switch node', () => {
  const cases = [
    { operator: 'between', right: [0, 9] },
    { equals: 5 },
    { operator: 'in', right: 'a,b', ignore_case: true },
    { operator: '>', right: 3 },
  ];
  const switching = (more: JsonObject) =>
    workflow(
      [
        t,
        switchNode('s', { value: '{{ input.v }}', cases, ...more }),
        ...['a', 'b', 'c', 'd', 'e'].map(id => output(id)),
      ],
      ['t>s', 's:case-0>a', 's:case-1>b', 's:case-2>c', 's:case-3>d', 's:default>e'],
    );
  const eventsOf = async (v: unknown, more: JsonObject = {}) => short(await run(switching(more), { input: { v } }));

  test('selects the first case that matches', async () => {
    expect(await eventsOf(5)).toEqual(expect.arrayContaining(['s=case-0', '+a', '-b', '-c']));
    expect(await eventsOf('B')).toEqual(expect.arrayContaining(['s=case-2', '-b', '+c', '-d']));
    // Compared as texts, because it is not a number.
    expect(await eventsOf('c')).toEqual(expect.arrayContaining(['s=case-3', '-c', '+d']));
    expect(await eventsOf('')).toEqual(expect.arrayContaining(['s=default', '+e']));
  });

  test('selects all cases that match', async () => {
    const events = await eventsOf('5', { match: 'all' });
    // The content names a case by its handle, and a case with `equals` by that value.
    expect(events).toEqual(expect.arrayContaining(['s=["case-0","5","case-3"]', '+a', '+b', '-c', '+d', '-e']));
    expect(await eventsOf('', { match: 'all' })).toEqual(expect.arrayContaining(['s=default', '-a', '+e']));
  });
});
