import { describe, expect, it } from '@jest/globals';
import { LabeledCounter } from '../../src/platform/metrics/labeled-counter.js';

describe('LabeledCounter', () => {
  it('sums values with equal labels, and reports them by label name', () => {
    const counter = new LabeledCounter(['method', 'route', 'status']);
    counter.count(['GET', '/a', '200']);
    counter.count(['GET', '/b', '200'], 2);
    counter.count(['GET', '/a', '404']);
    counter.count(['POST', '/a', '200']);
    counter.count(['GET', '/a', '200'], 0.5);
    expect(counter.samples()).toEqual([
      { labels: { method: 'GET', route: '/a', status: '200' }, value: 1.5 },
      { labels: { method: 'GET', route: '/a', status: '404' }, value: 1 },
      { labels: { method: 'GET', route: '/b', status: '200' }, value: 2 },
      { labels: { method: 'POST', route: '/a', status: '200' }, value: 1 },
    ]);
  });

  it('counts without labels', () => {
    const counter = new LabeledCounter([]);
    expect(counter.samples()).toEqual([]);
    counter.count([]);
    counter.count([], 4);
    expect(counter.samples()).toEqual([{ labels: {}, value: 5 }]);
  });
});
