import { globSync } from 'node:fs';
import { parse } from '@babel/parser';
import { describe, expect, it } from '@jest/globals';
import { ROOT, readPage } from '../support/readme/readme.js';
import { forbiddenIn, isForbiddenName, participleTypes } from './forbidden-words.js';

/** Generated files, lists of stopwords, and the tests of forbidden words, which quote them. */
const EXEMPT = [
  'src/providers/text/stoplists.ts',
  'console/src/icons.ts',
  'test/docs/language.test.ts',
  'test/docs/source-language.test.ts',
];
/** Generated files and migrations are left out: released migrations do not change. */
const SOURCES = globSync(
  [
    ...['src/**/*.ts', 'rest-compat/**/*.ts', 'scripts/**/*.mjs', 'templates/**/*.ts', 'bench/**/*.ts', 'test/**/*.ts'],
    ...[
      'console/**/*.{ts,tsx,mjs}',
      'pages/**/*.{ts,tsx}',
      'clients/**/*.{ts,mjs}',
      'examples/**/*.ts',
      'docs/**/*.mjs',
    ],
  ],
  { cwd: ROOT },
)
  // The bench installs packages of others below bench/peers.
  .filter(file => !file.includes('node_modules/'))
  .filter(file => !file.includes('generated') && !file.startsWith('src/migrations/') && !EXEMPT.includes(file))
  .sort();

interface Fault {
  line: number;
  text: string;
}

/** Forbidden words in comments and in texts of at least three words, JSX included, and forbidden names that the file uses. */
function faultsOf(source: string, isJsx = false): Fault[] {
  const { comments, tokens } = parse(source, {
    sourceType: 'module',
    plugins: ['typescript', 'decorators-legacy', 'explicitResourceManagement', ...(isJsx ? (['jsx'] as const) : [])],
    tokens: true,
  });
  const faults: Fault[] = [];
  const check = (prose: string, line: number) => {
    for (const text of forbiddenIn(prose.replaceAll(/`[^`\n]*`|"[\w-]+"/g, ''))) faults.push({ line, text });
  };
  for (const name of participleTypes(source)) faults.push({ line: 0, text: `the type ${name}: use a noun` });
  for (const { value, loc } of comments ?? []) check(value, loc?.start.line ?? 0);
  for (const { type, value, loc } of tokens ?? []) {
    if (typeof value !== 'string') continue;
    const { line } = loc.start;
    if ((type.label === 'name' || type.label === 'jsxName') && isForbiddenName(value))
      faults.push({ line, text: `the name ${value}` });
    else if (['string', 'template', 'jsxText'].includes(type.label) && value.trim().split(/\s+/).length > 2)
      check(value, line);
  }
  return faults;
}

it('comments, messages and names of the sources use plain words', () => {
  const faults = SOURCES.flatMap(file =>
    faultsOf(readPage(file), file.endsWith('x')).map(({ line, text }) => `${file}:${line} ${text}`),
  );
  expect(faults).toEqual([]);
});

describe('the check', () => {
  it.each([
    ['a comment', '/** It is told nothing. */ export const x = 1;', '"told": write reports, returns, shows, notifies'],
    ['a text', "throw new Error('Used at the start alone.');", '"alone": write only'],
    ['a name', 'const whenTold = 1;', 'the name whenTold'],
    [
      'the text of an element',
      'const x = <p>Saved by somebody else</p>;',
      '"somebody": write a user, a caller, every user',
    ],
    ['an attribute', 'const x = <p title="Saved for this user alone" />;', '"alone": write only'],
  ])('finds a forbidden word in %s', (_, source, text) => {
    expect(faultsOf(source, true)).toEqual([{ line: 1, text }]);
  });

  it('finds a type whose name is only a participle', () => {
    expect(faultsOf('export interface Asked {}')).toEqual([{ line: 0, text: 'the type Asked: use a noun' }]);
    expect(faultsOf('export interface AskedQuestion {}')).toEqual([]);
  });
});
