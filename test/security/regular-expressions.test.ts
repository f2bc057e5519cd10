import { describe, expect, it } from '@jest/globals';
import { check } from 'recheck';
import { builtExpressions, expressionsOf } from './regular-expressions/sources.js';

/** Every other pattern takes a time linear in the length of the text it reads. Each of these says why it may take more. */
const ALLOWED = new Map([
  [String(/^\s+at .*?(file:\S+\.js):(\d+):(\d+)\)?$/), 'base/source-lines.ts reads frames of at most 1,000 characters'],
  [String(/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)([^\s/?#@{}]{1,500})@/gi), 'bounded: at most 522 steps for each character'],
]);
/** Patterns that are put together while the program runs, by file, with where their parts come from. */
const BUILT: Record<string, string> = {
  'pages/docs/fetch-as-caller.ts': 'paths of our own API description, escaped, in a browser',
};

describe('regular expressions in the sources', () => {
  const expressions = expressionsOf(['src', 'rest-compat', 'pages']);

  it('are found', () => {
    expect(expressions.size).toBeGreaterThan(150);
    for (const allowed of ALLOWED.keys()) expect(expressions.has(allowed)).toBe(true);
  });

  it('are all literals, so that they can be checked', () => {
    const files = builtExpressions(['src', 'rest-compat', 'pages']);
    expect(files.filter(file => !Object.hasOwn(BUILT, file))).toEqual([]);
  });

  it('take linear time', async () => {
    const slow: unknown[] = [];
    for (const [text, { pattern, flags, places }] of expressions) {
      if (ALLOWED.has(text)) continue;
      const { status } = await check(pattern, flags, UNHURRIED);
      if (status !== 'safe') slow.push({ text, places, status });
    }
    expect(slow).toEqual([]);
  }, 600_000);

  it.each([
    ['exponential', '^(<!--.*?-->\\s*)*<html', 's'],
    ['exponential', '^(a+)+$', ''],
    ['polynomial', '/+$', ''],
  ])('would be refused: %s %s', async (type, pattern, flags) => {
    expect(await check(pattern, flags, UNHURRIED)).toMatchObject({ status: 'vulnerable', complexity: { type } });
  });
});

/** By counts of steps and not by the clock, and the same each time. */
const UNHURRIED = { timeout: null, incubationTimeout: null, attackTimeout: null, randomSeed: 1 };
