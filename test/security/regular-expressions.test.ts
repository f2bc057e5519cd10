import { describe, expect, it } from '@jest/globals';
import { ALLOWED_PATTERNS, CHECKED_FOLDERS } from './regular-expressions/allowed.js';
import { hashOf, prove, readProofs } from './regular-expressions/proofs.js';
import { findFilesCallingRegExp, findRegExpLiterals } from './regular-expressions/sources.js';

/** Patterns that are composed at run time, by file, with the origin of their parts. */
const COMPOSED: Record<string, string> = {
  'pages/docs/fetch-as-caller.ts': 'paths of our own API description, escaped, in a browser',
};

describe('regular expressions in the sources', () => {
  const expressions = findRegExpLiterals(CHECKED_FOLDERS);

  it('are found', () => {
    expect(expressions.size).toBeGreaterThan(150);
    for (const allowed of ALLOWED_PATTERNS.keys()) expect(expressions.has(allowed)).toBe(true);
  });

  it('are all literals, so that they can be checked', () => {
    const files = findFilesCallingRegExp(CHECKED_FOLDERS);
    expect(files.filter(file => !Object.hasOwn(COMPOSED, file))).toEqual([]);
  });

  it('take linear time', async () => {
    // A proof takes up to a second of CPU time: `npm test` trusts those of proofs.json, `npm run test:security` trusts
    // none.
    const proven = process.env.SECURITY === 'all' ? new Set<string>() : readProofs();
    const unproven = [...expressions].filter(([text]) => !ALLOWED_PATTERNS.has(text) && !proven.has(hashOf(text)));
    const slow: unknown[] = [];
    for (const [text, expression] of unproven) {
      const { status } = await prove(expression);
      if (status !== 'safe') slow.push({ text, locations: expression.locations, status });
    }
    expect(slow).toEqual([]);
  }, 3_600_000);

  it('are proven, except for a few new ones; `npm run prove:expressions` proves the others', () => {
    const proven = readProofs();
    const unproven = [...expressions.keys()].filter(text => !ALLOWED_PATTERNS.has(text) && !proven.has(hashOf(text)));
    // Fewer than 15 are proven by every test run, above, which takes seconds.
    expect(unproven.length < 15 ? [] : unproven).toEqual([]);
  });

  it.each([
    ['exponential', '^(<!--.*?-->\\s*)*<html', 's'],
    ['exponential', '^(a+)+$', ''],
    ['polynomial', '/+$', ''],
  ])('would be refused: %s %s', async (type, pattern, flags) => {
    expect(await prove({ pattern, flags })).toMatchObject({ status: 'vulnerable', complexity: { type } });
  });
});
