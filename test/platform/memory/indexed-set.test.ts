import { describe, expect, it } from '@jest/globals';
import { IndexedSet } from '../../../src/platform/memory/indexed-set.js';

const item = (name: string) => ({ name, index: -1 });

describe('IndexedSet', () => {
  it('contains what was added and not removed, in any order', () => {
    const set = new IndexedSet<{ name: string; index: number }>();
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(item) as [any, any, any, any];
    for (const one of [a, b, c, d]) set.add(one);
    set.delete(b);
    expect(new Set(set.all())).toEqual(new Set([a, c, d]));
    set.delete(d);
    set.delete(a);
    expect([set.size, set.all()]).toEqual([1, [c]]);
    set.add(b);
    set.delete(c);
    set.delete(b);
    expect([set.size, set.all()]).toEqual([0, []]);
  });

  it('removes nothing else when the item is not in it', () => {
    const set = new IndexedSet<{ name: string; index: number }>();
    const [a, b] = [item('a'), item('b')];
    set.add(a);
    set.delete(b);
    set.delete({ ...a });
    expect(set.all()).toEqual([a]);
    set.delete(a);
    set.delete(a);
    expect(set.size).toBe(0);
  });
});
