import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Currencies, isBetween, normalize, subtractAll, sum } from '../../src/platform/money/money.js';

describe('amounts of money', () => {
  it.each([
    ['0', '0'],
    ['0.000', '0'],
    ['1.500', '1.5'],
    ['0.0000000000000000000001', '0.0000000000000000000001'],
    ['123456789012345678901234567890.10', '123456789012345678901234567890.1'],
  ])('writes %s as %s: no exponent, no trailing zeros', (given, written) => {
    expect(normalize(given)).toBe(written);
  });

  it('converts to SR by the exact rate', () => {
    expect(new Currencies('100').of('0.0125')).toEqual({ usd: '0.0125', sr: '1.25' });
    expect(new Currencies('0.3').of('0.1')).toEqual({ usd: '0.1', sr: '0.03' });
  });

  it('keeps every digit of sums and products far beyond those of a double', () => {
    expect(sum(['12345678901234567890.123456789012', '0.000000000001'])).toBe('12345678901234567890.123456789013');
    expect(new Currencies('99.999999999').of('1234567890.123456789012').sr).toBe('123456789011.111111011076543210988');
  });

  it('subtracts down to zero, never below', () => {
    expect(subtractAll('1', [])).toBe('1');
    expect(subtractAll('1', ['0.1', '0.2'])).toBe('0.7');
    expect(subtractAll('1', ['0.4', '0.6'])).toBe('0');
    expect(subtractAll('1', ['0.4', '0.7'])).toBe('0');
  });

  it.each([
    ['0', true],
    ['0.5', true],
    ['1', true],
    ['-0.000000000001', false],
    ['1.000000000001', false],
  ])('finds %s between 0 and 1: %s', (amount, expected) => {
    expect(isBetween(amount, '0', '1')).toBe(expected);
  });

  it('sums without losing a digit, in any order', () => {
    expect(sum(['0.1', '0.2'])).toBe('0.3');
    expect(sum([])).toBe('0');
    // `normalize` needs zeros at the end to remove: amounts with eight decimals are written with nine.
    const amountLists = fc.array(fc.integer({ min: 0, max: 10 ** 9 }), { maxLength: 50 });
    fc.assert(
      fc.property(amountLists, amounts => {
        const toText = (billionths: bigint) => normalize(`${billionths}`.padStart(10, '0').replace(/(\d{9})$/, '.$1'));
        const texts = amounts.map(amount => toText(BigInt(amount) * 10n));
        const expected = toText(amounts.reduce((left, right) => left + BigInt(right) * 10n, 0n));
        expect(sum(texts)).toBe(expected);
        expect(sum([...texts].reverse())).toBe(expected);
      }),
    );
  });
});
