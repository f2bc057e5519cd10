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
