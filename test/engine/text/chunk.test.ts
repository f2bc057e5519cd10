import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chunksOf } from '../../../src/engine/text/chunk.js';

/** Counts one token for every four characters of a word, rounded up. White space counts nothing. */
const countTokens = (text: string) =>
  (text.match(/\S+/g) ?? []).reduce((sum, word) => sum + Math.ceil(word.length / 4), 0);
const chunks = (text: string, size: number) => [...chunksOf([{ page: 1, text }], { size, countTokens })];
const words = (count: number, word = 'abc') => Array.from({ length: count }, () => word).join(' ');

describe('chunks', () => {
  it('contain as many paragraphs as fit', () => {
    const text = [words(20), words(20), words(20)].join('\n\n');
    expect(chunks(text, 50).map(({ text, tokens, index }) => [index, text.split('\n\n').length, tokens])).toEqual([
      [0, 2, 40],
      [1, 1, 20],
    ]);
  });

  it('end with a sentence where a paragraph is too long', () => {
    const sentence = (n: number) => `Am ${words(17)} Ende${n}.`;
    const found = chunks(`${sentence(1)} ${sentence(2)} ${sentence(3)}`, 50);
    expect(found.map(({ text }) => text.slice(-6))).toEqual(['Ende2.', 'Ende3.']);
  });

  it('end with a word where a sentence is too long, and within a word only where that is too long', () => {
    for (const { text } of chunks(words(500), 50)) expect(text).toMatch(/^(abc )*abc$/);
    expect(chunks('x'.repeat(1000), 50).map(({ tokens }) => tokens <= 50)).not.toContain(false);
  });

  it('never cut a character in two', () => {
    for (const { text } of chunks('😀'.repeat(700), 50)) expect(text.isWellFormed()).toBe(true);
  });

  it('have the page on which they begin', () => {
    const pages = [
      { page: 1, text: words(45) },
      { page: 2, text: `${words(3)}\n\n${words(40)}` },
    ];
    expect([...chunksOf(pages, { size: 50, countTokens })].map(({ page }) => page)).toEqual([1, 2]);
  });

  it('are none where there is no text', () => {
    expect(chunks(' \n\n \t', 50)).toEqual([]);
  });

  it('keep within their size and lose nothing but white space, whatever the text is', () => {
    const texts = fc.array(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\n\n', '. ', ' ', 'word ', 'ß'.repeat(300))),
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 50, max: 80 }), (parts, size) => {
        const text = parts.join('');
        const found = chunks(text, size);
        for (const chunk of found) expect(chunk.tokens).toBeLessThanOrEqual(size);
        const bare = (given: string) => given.replace(/\s+/g, '');
        expect(bare(found.map(chunk => chunk.text).join(''))).toBe(bare(text));
      }),
    );
  });
});
