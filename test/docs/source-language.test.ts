import { globSync } from 'node:fs';
import { parse } from '@babel/parser';
import { describe, expect, it } from '@jest/globals';
import { ROOT, readPage } from '../support/readme/readme.js';
import { forbiddenIn, isForbiddenName } from './forbidden-words.js';

/** Lists of the words of languages. */
const STOPLISTS = 'src/providers/text/stoplists.ts';
/** Folders that are checked. What is generated or executed as it was released is left out. */
const SOURCES = globSync(['src/**/*.ts', 'rest-compat/**/*.ts', 'scripts/**/*.mjs', 'templates/**/*.ts'], { cwd: ROOT })
  .filter(file => !file.includes('generated') && !file.startsWith('src/migrations/') && file !== STOPLISTS)
  .sort();

interface Fault {
  line: number;
  text: string;
}

/** Forbidden words in comments and in texts of at least three words, and forbidden names that the file declares. */
function faultsOf(source: string): Fault[] {
  const { comments, tokens } = parse(source, {
    sourceType: 'module',
    plugins: ['typescript', 'decorators-legacy', 'explicitResourceManagement'],
    tokens: true,
  });
  const faults: Fault[] = [];
  const check = (prose: string, line: number) => {
    for (const text of forbiddenIn(prose.replaceAll(/`[^`\n]*`|"[\w-]+"/g, ''))) faults.push({ line, text });
  };
  for (const { value, loc } of comments ?? []) check(value, loc?.start.line ?? 0);
  for (const { type, value, loc } of tokens ?? []) {
    if (typeof value !== 'string') continue;
    const { line } = loc.start;
    if (type.label === 'name' && isForbiddenName(value)) faults.push({ line, text: `the name ${value}` });
    else if ((type.label === 'string' || type.label === 'template') && value.trim().split(' ').length > 2)
      check(value, line);
  }
  return faults;
}

it('comments, messages and names of the sources use plain words', () => {
  const faults = SOURCES.flatMap(file => faultsOf(readPage(file)).map(({ line, text }) => `${file}:${line} ${text}`));
  expect(faults).toEqual([]);
});

describe('the check', () => {
  it.each([
    ['a comment', '/** It is told nothing. */ export const x = 1;', '"told": write reports, returns, shows, notifies'],
    ['a text', "throw new Error('Used at the start alone.');", '"alone": write only'],
    ['a name', 'const whenTold = 1;', 'the name whenTold'],
  ])('finds a forbidden word in %s', (_, source, text) => {
    expect(faultsOf(source)).toEqual([{ line: 1, text }]);
  });
});
