import { describe, expect, it } from '@jest/globals';
import { expressionsPage } from '../../src/modules/expressions/expressions-page.js';
import { readPage } from '../support/readme/readme.js';

const PAGE = readPage('docs/expressions.md');

describe('docs/expressions.md', () => {
  it('is up to date', () => {
    expect(expressionsPage(PAGE)).toBe(PAGE);
  });

  it('is not written without the mark above its generated part', () => {
    expect(() => expressionsPage(PAGE.replace('<!-- generated -->', ''))).toThrow(
      'docs/expressions.md needs the line "<!-- generated -->" above its generated part',
    );
  });
});
