import { globSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ROOT, readPage } from '../support/readme/readme.js';

/** Words and phrases that the documentation does not use, with what it says instead. Code and URLs are exempt. */
const FORBIDDEN: readonly [phrase: RegExp, instead: string][] = [
  [/\b(nobody|nobody's)\b/, 'no user, no process, none'],
  [/\b(whoever|whomever|whosoever)\b/, 'the user who, the caller that'],
  [/\b(somebody|someone|anybody|anyone|everybody|everyone)\b/, 'a user, a caller, every user'],
  [/\b(told|tell|tells)\b/, 'reports, returns, shows, notifies'],
  [/\b(heed|heeds|heeded)\b/, 'used, respected'],
  [/\balone\b/, 'only'],
  [/\b(hear|hears|heard)\b/, 'is notified, receives'],
  [/\b(hungry|hunger)\b/, 'due'],
  [/\b(deed|deeds)\b/, 'action'],
  [/\b(mend|mends|mended)\b/, 'fix, correct'],
  [/\bfor ever\b/, 'forever, without limit'],
  [/\bby and large\b/, 'about, approximately'],
  [/\b(go|goes|went) on\b/, 'continues'],
  [/\b(beside|besides)\b/, 'next to, compared with, in addition to'],
  [/\bby itself\b/, 'automatically, separately'],
  [/\b(bear|bears|borne)\b/, 'has, contains'],
  [/\b(lies|lie|lay) (in|at|under|beside|there)\b/, 'is in'],
  [/\bstands? (in|beside|there|where|ready|apart)\b/, 'is in'],
  [/\b(house|housekeeping|floor|floors|floor plan|doors?|bells?|attic)\b/, 'the plain technical term'],
  [/\b(three|two) walks\b/, 'request flows'],
  [/\b(what|which) (never was|is somebody)/, 'resources that do not exist'],
  [/\bno matter\b/, 'regardless of'],
  [/\bthe like\b/, 'similar'],
  [/\bone's own\b/, 'your own, the own'],
  [/\b(taken|takes?) along\b/, 'includes'],
  [/\bthe outside\b/, 'external services'],
  [/\b(neighbours?|strangers?)\b/, 'other callers'],
  [/\bmust bear\b/, 'must have'],
];

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

function faultsOf(text: string): string[] {
  return FORBIDDEN.flatMap(([phrase, instead]) => {
    const [found] = new RegExp(phrase.source, 'i').exec(proseOf(text)) ?? [];
    return found === undefined ? [] : [`"${found}": write ${instead}`];
  });
}

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
