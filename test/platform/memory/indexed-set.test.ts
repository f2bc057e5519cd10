import { describe, expect, it } from '@jest/globals';
import { IndexedSet } from '../../../src/platform/memory/indexed-set.js';

const thing = (name: string) => ({ name, place: -1 });

describe('Bag', () => {
  it('holds what was put in and not taken out, in whatever order that happens', () => {
    const bag = new IndexedSet<{ name: string; place: number }>();
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(thing) as [any, any, any, any];
    for (const one of [a, b, c, d]) bag.add(one);
    bag.delete(b);
    expect(new Set(bag.all())).toEqual(new Set([a, c, d]));
    bag.delete(d);
    bag.delete(a);
    expect([bag.size, bag.all()]).toEqual([1, [c]]);
    bag.add(b);
    bag.delete(c);
    bag.delete(b);
    expect([bag.size, bag.all()]).toEqual([0, []]);
  });

  it('takes nothing else out for what is not in it', () => {
    const bag = new IndexedSet<{ name: string; place: number }>();
    const [a, b] = [thing('a'), thing('b')];
    bag.add(a);
    bag.delete(b);
    bag.delete({ ...a });
    expect(bag.all()).toEqual([a]);
    bag.delete(a);
    bag.delete(a);
    expect(bag.size).toBe(0);
  });
});
