import { globSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ROOT, readPage } from '../support/readme/readme.js';
import { forbiddenIn } from './forbidden-words.js';

const PAGES = globSync(
  [
    '*.md',
    'docs/*.md',
    'docs/contributing/*.md',
    'docs/adr/*.md',
    'examples/**/README.md',
    'rest-compat/README.md',
    'bench/README.md',
  ],
  { cwd: ROOT },
).sort();

/** The prose of a page: without fenced blocks, code spans and the targets of links. */
function proseOf(text: string): string {
  return text
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/https?:\S+/g, '');
}

const faultsOf = (text: string) => forbiddenIn(proseOf(text));

describe('the documentation', () => {
  it.each(PAGES)('uses plain words in %s', page => {
    expect(faultsOf(readPage(page))).toEqual([]);
  });
});

describe('the list of words', () => {
  it('finds a forbidden word in prose, and none in code', () => {
    expect(faultsOf('Used at the first start alone.')).toEqual(['"alone": write only']);
    expect(faultsOf('Call `tells()` at https://example.com/nobody.')).toEqual([]);
    expect(faultsOf('```sh\necho nobody\n```')).toEqual([]);
  });
});
