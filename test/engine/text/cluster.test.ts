import { describe, expect, it } from '@jest/globals';
import { clustersOf } from '../../../src/engine/text/cluster.js';
import { selectStopwords } from '../../../src/engine/text/stopwords.js';
import { stoplists } from '../../../src/providers/text/stoplists.js';
import { cpuSecondsOf } from '../../support/processes/cpu-seconds.js';
import { bcubed } from './bcubed.js';
import { HELD_OUT, type LabelledSet, TUNING } from './labelled-keywords.js';

const plain = (names: readonly string[]) => names.map(name => ({ name, strength: 0 }));
const groupsOf = (names: readonly string[], stopwords = new Set<string>()) =>
  clustersOf(plain(names), stopwords).map(({ members }) => members.map(at => names[at]!));

describe('clusters', () => {
  it('contain every keyword once, the largest first', () => {
    const names = ['green tea', 'espresso', 'green tea leaves', 'milk', 'espresso beans', 'green teas'];
    const groups = groupsOf(names);
    expect(groups).toEqual([['green tea', 'green tea leaves', 'green teas'], ['espresso', 'espresso beans'], ['milk']]);
  });

  it('are named after their strongest member, or the first of the strongest', () => {
    const strengths = (...all: number[]) =>
      clustersOf(['red shoes', 'shoes', 'blue shoes'].map((name, at) => ({ name, strength: all[at]! })));
    expect(strengths(1, 5, 2)).toEqual([{ name: 'shoes', members: [0, 1, 2] }]);
    expect(strengths(1, 2, 2)[0]!.name).toBe('shoes');
    expect(strengths(0, 0, 0)[0]!.name).toBe('red shoes');
  });

  it('ignore case and accents', () => {
    expect(groupsOf(['CAFÉ CRÈME', 'cafe creme', '東京の美術館', '美術館'])).toEqual([
      ['CAFÉ CRÈME', 'cafe creme'],
      ['東京の美術館', '美術館'],
    ]);
  });

  it('are not merged because of stopwords', () => {
    const names = ['how to bake', 'how to swim'];
    expect(groupsOf(names)).toHaveLength(1);
    expect(groupsOf(names, new Set(['how', 'to']))).toHaveLength(2);
  });

  it('of nothing are none, and keywords without words stay unchanged', () => {
    expect(clustersOf([])).toEqual([]);
    expect(groupsOf(['!!', '??', '!!'])).toEqual([['!!', '!!'], ['??']]);
    expect(groupsOf(['the', 'the the'], new Set(['the']))).toHaveLength(1);
  });

  it('of a thousand keywords are found in seconds of CPU time', () => {
    const words = 'running trail best cheap red blue kids winter summer light'.split(' ');
    const names = words.flatMap(a => words.flatMap(b => words.map(c => `${a} ${b} shoes ${c} ${a.length}${b}`)));
    const seconds = cpuSecondsOf(() => expect(groupsOf(names).flat()).toHaveLength(1000));
    // The algorithm needs less than a second; the margin is for slow machines.
    expect(seconds).toBeLessThan(10);
  });
});

describe('the quality of clusters', () => {
  /** With the stopwords of the keywords' language, as in the service. */
  const groupNames = (names: string[]) => groupsOf(names, new Set(selectStopwords(names.join('\n'), stoplists())));
  const mean = (sets: readonly LabelledSet[]) =>
    sets.reduce((sum, { groups }) => sum + bcubed(groupNames(groups.flat()), groups), 0) / sets.length;

  // The figure of docs/keywords.md.
  it('is a B-cubed F1 of 0.90 or more on keywords that were not used for tuning', () => {
    expect(mean(HELD_OUT)).toBeGreaterThanOrEqual(0.9);
  });

  it('is not worse on those that the threshold was tuned with', () => {
    expect(mean(TUNING)).toBeGreaterThanOrEqual(0.9);
  });

  it('is significant: a single group, and groups of one, are far worse', () => {
    const { groups } = HELD_OUT[0]!;
    expect(bcubed(groups, groups)).toBeCloseTo(1, 9);
    expect(bcubed([groups.flat()], groups)).toBeLessThan(0.5);
    expect(
      bcubed(
        groups.flat().map(name => [name]),
        groups,
      ),
    ).toBeLessThan(0.5);
  });
});
