import { describe, expect, it } from '@jest/globals';
import { LabeledCounter } from '../../src/platform/metrics/labeled-counter.js';

describe('Tally', () => {
  it('sums what has the same labels, and tells it by their names', () => {
    const tally = new LabeledCounter(['method', 'route', 'status']);
    tally.count(['GET', '/a', '200']);
    tally.count(['GET', '/b', '200'], 2);
    tally.count(['GET', '/a', '404']);
    tally.count(['POST', '/a', '200']);
    tally.count(['GET', '/a', '200'], 0.5);
    expect(tally.samples()).toEqual([
      { labels: { method: 'GET', route: '/a', status: '200' }, value: 1.5 },
      { labels: { method: 'GET', route: '/a', status: '404' }, value: 1 },
      { labels: { method: 'GET', route: '/b', status: '200' }, value: 2 },
      { labels: { method: 'POST', route: '/a', status: '200' }, value: 1 },
    ]);
  });

  it('counts without labels', () => {
    const tally = new LabeledCounter([]);
    expect(tally.samples()).toEqual([]);
    tally.count([]);
    tally.count([], 4);
    expect(tally.samples()).toEqual([{ labels: {}, value: 5 }]);
  });
});
