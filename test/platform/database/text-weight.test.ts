import { describe, expect, it } from '@jest/globals';
import { textWeight } from '../../../src/platform/sql/text-weight.js';

describe('textWeight', () => {
  it('is about the length of the JSON text', () => {
    const value = {
      topic: 'x'.repeat(10_000),
      list: ['y'.repeat(5_000), 12, true, null],
      nested: { deep: { text: 'z' } },
    };
    const weight = textWeight(value, 1_000_000);
    expect(weight / JSON.stringify(value).length).toBeGreaterThan(0.9);
    expect(weight / JSON.stringify(value).length).toBeLessThan(1.1);
  });

  it('stops where the limit is passed', () => {
    expect(textWeight(['x'.repeat(11), 'x'.repeat(11), 'x'.repeat(11)], 10)).toBeLessThan(22);
    expect(textWeight(undefined, 10)).toBeLessThan(10);
  });
});
