import { describe, expect, test } from '@jest/globals';
import { isRetryableDatabaseError } from '../../../src/platform/database/database-errors.js';

const withCode = (code: string) => Object.assign(new Error('refused'), { code });

describe('isRetryableDatabaseError', () => {
  test.each([
    '08000',
    '08006',
    '25006',
    '25P03',
    '40001',
    '40P01',
    '53100',
    '53300',
    '55P03',
    '57014',
    '57P01',
    'ECONNREFUSED',
    'ECONNRESET',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ETIMEDOUT',
    'EPIPE',
  ])('is true for %s', code => {
    expect(isRetryableDatabaseError(withCode(code))).toBe(true);
  });

  test.each(['22P02', '23505', '42601', '25001', '55006', 'ENOENT', 'constructor'])('is false for %s', code => {
    expect(isRetryableDatabaseError(withCode(code))).toBe(false);
  });

  test('looks through causes and through the attempts to connect to several addresses', () => {
    expect(isRetryableDatabaseError(new Error('outer', { cause: withCode('25006') }))).toBe(true);
    expect(isRetryableDatabaseError(new AggregateError([withCode('ECONNREFUSED')]))).toBe(true);
  });

  test.each(['Connection terminated unexpectedly', 'Query read timeout'])('knows the driver\'s "%s"', message => {
    expect(isRetryableDatabaseError(new Error(message))).toBe(true);
  });

  test.each([null, undefined, 'text', 7])('is false for %p, which is not an error', value => {
    expect(isRetryableDatabaseError(value)).toBe(false);
  });
});
