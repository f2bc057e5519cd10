import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ExcerptSearch, SHORTEST_EXCERPT } from '../../src/engine/excerpt-search.js';
import { PhraseSearch } from '../../src/engine/phrase-search.js';
import { MASK, maskValues, valueMasker } from '../../src/engine/secrets.js';
import { cpuSecondsOf } from '../support/processes/cpu-seconds.js';

/** Tries every phrase at every position. */
function coveredByHand(text: string, phrases: string[]): boolean[] {
  const covered = Array.from(text, () => false);
  for (const phrase of phrases)
    for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1))
      covered.fill(true, at, at + phrase.length);
  return covered;
}

const pseudoRandomText = (seed: number, length = 16_000) => {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return String.fromCharCode(97 + ((state >>> 16) % 26));
  }).join('');
};

describe('the search for phrases', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 60 });
  const phrases = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 8 }), {
    maxLength: 6,
  });

  test('covers what any of them covers', () => {
    fc.assert(
      fc.property(letters, phrases, (text, secrets) => {
        const covered = Array.from(text, () => false);
        for (const [from, to] of new PhraseSearch(secrets).findCovered(text)) covered.fill(true, from, to);
        expect(covered).toEqual(coveredByHand(text, secrets));
      }),
    );
  });
});

describe('the search for long phrases', () => {
  const unit = fc.constantFrom('a', 'b');
  const phrase = fc.string({ unit, minLength: SHORTEST_EXCERPT, maxLength: 120 });

  test('covers each of them, and its excerpts', () => {
    fc.assert(
      fc.property(
        fc.array(phrase, { minLength: 1, maxLength: 3 }),
        fc.string({ unit, maxLength: 40 }),
        (all, around) => {
          const search = new ExcerptSearch(all);
          const [first] = all as [string];
          const text = around + all.join(around) + around;
          const covered = Array.from(text, () => false);
          for (const [from, to] of search.findCovered(text)) covered.fill(true, from, to);
          for (const [at, isHidden] of coveredByHand(text, all).entries()) expect(covered[at] || !isHidden).toBe(true);
          const excerpt = first.slice(1, 1 + SHORTEST_EXCERPT);
          if (excerpt.length === SHORTEST_EXCERPT) expect(search.findCovered(`${excerpt}`)).not.toEqual([]);
        },
      ),
    );
  });

  const parts = fc.array(fc.string({ unit, minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 });
  const phrasesWithSharedParts = parts.chain(each =>
    fc.array(
      fc
        .array(fc.constantFrom(...each), { minLength: 1, maxLength: 12 })
        .map(chosen => chosen.join('').padEnd(SHORTEST_EXCERPT, 'a')),
      { minLength: 1, maxLength: 4 },
    ),
  );

  test('covers every excerpt completely, also where phrases share parts', () => {
    const around = fc.string({ unit, maxLength: 40 });
    fc.assert(
      fc.property(phrasesWithSharedParts, fc.nat(), fc.nat(), fc.nat(40), around, (all, which, start, more, before) => {
        const phrase = all[which % all.length]!;
        const from = start % (phrase.length - SHORTEST_EXCERPT + 1);
        const excerpt = phrase.slice(from, from + SHORTEST_EXCERPT + more);
        const covered = new ExcerptSearch(all).findCovered(`${before}${excerpt}c`);
        const end = before.length + excerpt.length;
        expect(covered.filter(([first, last]) => first <= before.length && last === end)).toHaveLength(1);
      }),
    );
  });

  test('finds no other text', () => {
    expect(
      new ExcerptSearch([pseudoRandomText(1), pseudoRandomText(2)]).findCovered(pseudoRandomText(3, 100_000)),
    ).toEqual([]);
  });
});

describe('masking long secrets', () => {
  const secrets = [pseudoRandomText(1), pseudoRandomText(2), pseudoRandomText(3), `${'a'.repeat(16_000)}b`];

  test('hides them completely, in each form, and where a text was cut off', () => {
    const mask = valueMasker(secrets);
    const [first, second] = secrets as [string, string];
    expect(mask(`x ${first} y ${second.toUpperCase()} z`)).toBe(`x ${MASK} y ${MASK} z`);
    expect(mask(`answered 400: ${first.slice(0, 200)}…`)).toBe(`answered 400: ${MASK}…`);
    expect(mask(`…${first.slice(7_003, 7_203)}…`)).toBe(`…${MASK}…`);
    expect(mask({ [first]: [second] })).toEqual({ [MASK]: [MASK] });
    expect(maskValues('nothing', secrets)).toBe('nothing');
  });

  test('hides the end of an excerpt of a spelling that begins like another one', () => {
    const [text] = secrets as [string];
    const key = `${text.slice(0, 64)}\n${text.slice(64)}`;
    const truncated = JSON.stringify(key).slice(1, 1 + 64 + '\\n'.length + 10);
    expect(maskValues(`answered 400: ${truncated}…`, [key])).toBe(`answered 400: ${MASK}…`);
  });

  test.each<[string, (length: number) => string]>([
    ['a text without any', length => pseudoRandomText(9, length)],
    ['one that nearly begins one everywhere', length => 'a'.repeat(length)],
    ['one full of them', length => secrets[0]!.repeat(length / 16_000)],
  ])('takes a time linear in %s', (_title, textOf) => {
    const mask = valueMasker([
      ...secrets,
      'aaaaaaaaaab',
      'aaaaaab',
      ...Array.from({ length: 50 }, (_, n) => `${'a'.repeat(n + 6)}c`),
    ]);
    const secondsOf = (text: string) => cpuSecondsOf(() => mask(text));
    // The first call is slower, because the code is not compiled yet.
    secondsOf(textOf(160_000));
    const less = Math.max(secondsOf(textOf(160_000)), 0.001);
    const more = secondsOf(textOf(160_000 * 16));
    // The input is sixteen times as long; quadratic time would be 256 times as long.
    expect(more / less).toBeLessThan(100);
  });
});
