import { describe, expect, test } from '@jest/globals';
import { functions } from '../../../src/engine/expressions/functions/index.js';
import { renderValue } from '../../../src/engine/expressions/template.js';
import { evaluate, scope } from './expression-scope.js';

describe.each([...functions.values()].map(each => [each.name, each] as const))('%s', (_name, { examples, ...each }) => {
  test.each(examples)('%s has the documented result', (expression, result) => {
    expect(evaluate(expression)).toEqual(result);
  });

  test('is documented', () => {
    expect(examples.length).toBeGreaterThan(0);
    expect(each.description).toMatch(/\.$/);
    expect(each.signature).toMatch(/^[a-z0-9_]+\((?:(?:\.\.\.)?[a-z]+\??: [a-z]+(?:, )?)*\): [a-z]+$/);
  });

  test('has no value if an argument has none, unless it provides one', () => {
    const [first] = each.parameters;
    const required = each.parameters.filter(({ isOptional }) => !isOptional);
    // Only functions that can be called with one value are tested.
    if (!first || first.type === 'function' || required.length > 1 || each.takesMissing) return;
    const call = `{{ ${each.name}(input.missing) }}`;
    expect(() => renderValue(call, scope)).toThrow(expect.objectContaining({ code: 'unknown_reference' }));
  });
});

describe('the limit of steps', () => {
  const map = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index]));
  const large = { ...scope, input: { map, text: 'x'.repeat(1 << 20), blank: ' '.repeat(1 << 20) } };

  test.each([
    'filter(range(100), i => input.map)',
    'find(range(100), i => not input.map)',
    'any(range(100), i => input.map and false)',
    'map(range(100), i => input.map ? 1 : 2)',
    'map(range(100), i => length(input.map))',
    'map(range(100), i => is_empty(input.map))',
    'map(range(100), i => is_empty(input.blank))',
    'map(range(100), i => boolean(input.map))',
    'map(range(100), i => contains(input.text, "z"))',
    'map(range(100), i => "z" in input.text)',
    'unique(range(100), i => input.text)',
    'group(range(100), i => input.text)',
    'sort(range(100), i => input.text)',
  ])('counts the work on a large value: %s', expression => {
    expect(() => renderValue(`{{ ${expression} }}`, large)).toThrow(
      expect.objectContaining({ code: 'expression_failed', message: expect.stringContaining('steps') }),
    );
  });

  test('allows work on a large value that is done once', () => {
    expect(renderValue('{{ length(input.map) + (input.map ? 1 : 2) + (is_empty(input.blank) ? 1 : 2) }}', large)).toBe(
      20_002,
    );
    expect(renderValue('{{ unique([input.text, input.text]) | length }}', large)).toBe(1);
  });
});
