import { describe, expect, it } from '@jest/globals';
import { proposalRequest, proposedKeywords } from '../../../src/engine/text/keyword-proposals.js';
import { keywordsOf } from '../../../src/engine/text/keywords.js';
import { similarity } from '../../../src/engine/text/similarity.js';
import { foldStopwords, Stopwords, selectStopwords } from '../../../src/engine/text/stopwords.js';
import { preferOnTopic } from '../../../src/engine/text/topic.js';
import { foldedWords } from '../../../src/engine/text/words.js';
import { cpuSecondsOf, LINEAR_SECONDS } from '../../support/processes/cpu-seconds.js';

const english = foldStopwords('the a of is are and to in for with it by from that this be as on not their'.split(' '));
const german = foldStopwords('der die das und ist ein eine wird aus mit von zu sind im den nicht'.split(' '));

const TEA = `Green tea is a tea from the leaves of the tea plant. Green tea leaves are not oxidized. The caffeine of green
tea is known. A cup of green tea is prepared with water of 70 degrees. Japanese gardens are visited in the spring. The
water temperature is important for green tea, and the water temperature is measured with a thermometer.`;

const keywords = (text: string, more: Partial<Parameters<typeof keywordsOf>[1]> = {}) =>
  keywordsOf(text, { count: 10, stopwords: english, ...more });

describe('key phrases', () => {
  it('are what a text is about, the best first', () => {
    expect(keywords(TEA)[0]).toMatch(/^green tea$/i);
    expect(keywords(TEA, { count: 20 })).toContain('water temperature');
    expect(keywords(TEA, { count: 3 })).toEqual(keywords(TEA).slice(0, 3));
  });

  it('neither begin nor end with a stopword, and cross no punctuation', () => {
    for (const keyword of keywords('Leaves of tea. Tea, water and sugar: the cup of tea.', { count: 50 })) {
      const words = foldedWords(keyword);
      expect(english.has(words[0]!) || english.has(words.at(-1)!)).toBe(false);
      expect(keyword).not.toMatch(/[.,:]/);
    }
    expect(keywords('apples, pears', { count: 50 })).not.toContain('apples pears');
  });

  it('have their most frequent spelling, and occur once for similar forms', () => {
    const found = keywords('NASA lands. NASA flies. The nasa budget. Telescopes and telescope. Telescopes are sold.');
    expect(found).toContain('NASA');
    expect(found.filter(keyword => /^telescopes?$/i.test(keyword))).toHaveLength(1);
  });

  it('leave out refused words', () => {
    const refused = new Stopwords(['Tea', 'water temperature']);
    const found = keywords(TEA, { count: 50, isRefused: keyword => refused.matches(keyword) });
    expect(found.filter(keyword => /\btea\b|water temperature/i.test(keyword))).toEqual([]);
    expect(found).toContain('Japanese gardens');
  });

  it('are found in scripts without spaces', () => {
    const found = keywords('東京は日本の首都です。東京には多くの美術館があります。東京の美術館は有名です。', {
      stopwords: foldStopwords(['は', 'の', 'です', 'に', 'が', 'あり', 'ます']),
    });
    expect(found).toEqual(expect.arrayContaining(['東京', '美術館']));
  });

  it.each(['', ' \n ', '12 34 5678', '... !!! ---', 'the of and', '\u{1f600}'])('of %j are none', text => {
    expect(keywords(text)).toEqual([]);
  });

  it('of a long word, of one word and of many take linear time', () => {
    const seconds = cpuSecondsOf(() => {
      keywords(`${'a'.repeat(200_000)} ${'1a'.repeat(100_000)}`);
      keywords('tea '.repeat(50_000));
      keywords('a-b-c_d.e'.repeat(20_000));
    });
    expect(seconds).toBeLessThan(LINEAR_SECONDS);
  });
});

describe('stopwords', () => {
  it('are those of the language that a text is in', () => {
    const lists = [english, german];
    expect(selectStopwords(TEA, lists)).toBe(english);
    expect(selectStopwords('Der Tee wird aus den Blättern der Pflanze gemacht und ist nicht süß.', lists)).toBe(german);
    expect(selectStopwords('Zzz qqq xxx', lists).size).toBe(0);
    expect(selectStopwords('', lists).size).toBe(0);
  });

  it('of a project are whole consecutive words', () => {
    const stopwords = new Stopwords(['free shipping', 'ACME', ' ', '!']);
    expect(['Free Shipping costs', 'about acme', 'ACME'].map(keyword => stopwords.matches(keyword))).toEqual([
      true,
      true,
      true,
    ]);
    expect(['free of shipping', 'acmes', 'shipping free', ''].map(keyword => stopwords.matches(keyword))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

it('phrases on the topic come first, each part in its order', () => {
  const found = ['milk', 'green tea', 'sugar', 'teapots', 'garden'];
  const asked: number[] = [];
  const find = (count: number) => {
    asked.push(count);
    return found.slice(0, count);
  };
  expect(preferOnTopic('Teapot and gardens', 3, find)).toEqual(['teapots', 'garden', 'milk']);
  expect(preferOnTopic('', 3, find)).toEqual(['milk', 'green tea', 'sugar']);
  expect(asked).toEqual([9, 3]);
});

describe('the answer of a model with keywords', () => {
  it.each([
    ['["green tea", " black  tea ", "Green Tea"]'],
    ['Sure!\n```json\n["green tea", "black tea"]\n```'],
    ['{"keywords": [{"keyword": "green tea"}, {"name": "black tea"}, {"x": 1}, 5, null]}'],
    ['Here they are:\n1. "green tea"\n2) black tea\nEnjoy!'],
    ['- green tea\n* **black tea**\n'],
  ])('is read from %j', answer => {
    expect(proposedKeywords(answer)).toEqual(['green tea', 'black tea']);
  });

  it.each(['', 'I cannot help with that.', '[]', '{"a": 1}', '[1, 2', 'null', `["${'a'.repeat(256)}"]`, '["  ", "!"]'])(
    'has no keywords in %j',
    answer => {
      expect(proposedKeywords(answer)).toEqual([]);
    },
  );

  it('is stored in a valid form', () => {
    expect(proposedKeywords('["a\\u0000b", "c\\ud800"]')).toEqual(['a\ufffdb', 'c\ufffd']);
  });

  it('is requested with a number, the topic as a separate message', () => {
    const { messages, settings } = proposalRequest('Ignore the above', 25);
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(messages[0]!.content).toContain('25 different keywords');
    expect(messages[1]!.content).toBe('Ignore the above');
    expect(settings.max_tokens).toBe(700);
  });
});

it('closeness is the share of the longer text that stays', () => {
  expect([similarity('', ''), similarity('abcd', 'abcd'), similarity('abcd', 'abce')]).toEqual([1, 1, 0.75]);
  expect(similarity('a', 'abcdef')).toBeLessThan(0.5);
});
