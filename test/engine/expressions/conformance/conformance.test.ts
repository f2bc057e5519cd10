import { describe, expect, test } from '@jest/globals';
import { readPage } from '../../../support/readme/readme.js';
import { evaluate } from '../expression-scope.js';

interface Row {
  expression: string;
  /** Absent: it fails with `error`. */
  result?: unknown;
  error?: string;
}

const rows: Row[] = JSON.parse(readPage('test/engine/expressions/conformance/conformance.json'));

describe('the conformance table', () => {
  test('has at least 600 rows, each once', () => {
    expect(rows.length).toBeGreaterThanOrEqual(600);
    expect(new Set(rows.map(({ expression }) => expression)).size).toBe(rows.length);
  });

  test.each(rows)('$expression', ({ expression, result, error }) => {
    if (error === undefined) expect(evaluate(expression)).toEqual(result);
    else expect(() => evaluate(expression)).toThrow(expect.objectContaining({ code: error }));
  });
});
