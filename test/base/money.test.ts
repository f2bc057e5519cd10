import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Currencies, normalized, sum } from '../../src/base/money.js';

describe('amounts of money', () => {
  it.each([
    ['0', '0'],
    ['0.000', '0'],
    ['1.500', '1.5'],
    ['0.0000000000000000000001', '0.0000000000000000000001'],
    ['123456789012345678901234567890.10', '123456789012345678901234567890.1'],
  ])('writes %s as %s: no exponent, no trailing zeros', (given, written) => {
    expect(normalized(given)).toBe(written);
  });

  it('converts to SR by the exact rate', () => {
    expect(new Currencies('100').of('0.0125')).toEqual({ usd: '0.0125', sr: '1.25' });
    expect(new Currencies('0.3').of('0.1')).toEqual({ usd: '0.1', sr: '0.03' });
  });

  it('sums without losing a digit, in any order', () => {
    expect(sum(['0.1', '0.2'])).toBe('0.3');
    expect(sum([])).toBe('0');
    const micros = fc.array(fc.integer({ min: 0, max: 10 ** 9 }), { maxLength: 50 });
    fc.assert(
      fc.property(micros, amounts => {
        const texts = amounts.map(amount =>
          normalized(
            (BigInt(amount) * 10n)
              .toString()
              .padStart(10, '0')
              .replace(/(\d{9})$/, '.$1'),
          ),
        );
        const total = amounts.reduce((left, right) => left + BigInt(right) * 10n, 0n);
        const expected = normalized(
          total
            .toString()
            .padStart(10, '0')
            .replace(/(\d{9})$/, '.$1'),
        );
        expect(sum(texts)).toBe(expected);
        expect(sum([...texts].reverse())).toBe(expected);
      }),
    );
  });
});
