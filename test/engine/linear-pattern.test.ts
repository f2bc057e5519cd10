import { describe, expect, it } from '@jest/globals';
import { compilePattern } from '../../src/engine/linear-pattern.js';

describe('a pattern', () => {
  it.each([
    ['^a+$', 'aaa', true],
    ['^a+$', 'ab', false],
    ['b', 'abc', true],
    ['(?i)HELLO', 'say hello', true],
    ['\\p{Greek}', 'αβγ', true],
    ['^\\d{3}-\\d{2}$', '123-45', true],
  ])('%s on %s is %s', (pattern, text, found) => {
    expect(compilePattern(pattern)?.matcher(text).find()).toBe(found);
  });

  it.each(['(', '[', 'a**', '(?=a)', '(?<!a)b', '(a)\\1', '\\', 'a{1001}', '((a{1000}){1000}){1000}'])(
    '%s does not compile',
    pattern => {
      expect(compilePattern(pattern)).toBeNull();
    },
  );

  it('that would never end elsewhere ends soon', () => {
    const started = performance.now();
    expect(
      compilePattern('^(a+)+$')
        ?.matcher(`${'a'.repeat(50_000)}b`)
        .find(),
    ).toBe(false);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
