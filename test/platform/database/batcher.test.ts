import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Batcher } from '../../../src/platform/sql/batcher.js';
import { eventually } from '../../support/eventually.js';

const OPTIONS = { concurrency: 1, maxBatch: 100 };

describe('Batcher', () => {
  it('executes items that arrive together in one batch, and items that arrive during it in the next batch', async () => {
    const batches: number[][] = [];
    const first = Promise.withResolvers<void>();
    const batcher = new Batcher<number, number>(async items => {
      batches.push(items);
      if (batches.length === 1) await first.promise;
      return items.map(item => item * 10);
    }, OPTIONS);
    const early = [batcher.add(1), batcher.add(2)];
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    const late = [batcher.add(3), batcher.add(4), batcher.add(5)];
    expect(batcher.waiting).toBe(3);
    first.resolve();
    expect(await Promise.all([...early, ...late])).toEqual([10, 20, 30, 40, 50]);
    expect(batches).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it('never exceeds its largest batch, nor its limit of concurrent batches', async () => {
    let running = 0;
    let most = 0;
    const sizes: number[] = [];
    const batcher = new Batcher<number, number>(
      async items => {
        most = Math.max(most, ++running);
        sizes.push(items.length);
        await new Promise(setImmediate);
        running--;
        return items;
      },
      { concurrency: 2, maxBatch: 10 },
    );
    await Promise.all(Array.from({ length: 95 }, (_, index) => batcher.add(index)));
    expect(most).toBeLessThanOrEqual(2);
    expect(Math.max(...sizes)).toBe(10);
    expect(sizes.reduce((left, right) => left + right)).toBe(95);
  });

  it('with halved batches, callers that continue after a batch alternate in two equal groups', async () => {
    const sizes: number[] = [];
    const batcher = new Batcher<number, number>(
      async items => {
        sizes.push(items.length);
        await new Promise(setImmediate);
        return items;
      },
      { ...OPTIONS, isHalved: true },
    );
    const call = async (id: number) => {
      for (let count = 0; count < 10; count++) await batcher.add(id);
    };
    const early = [1, 2, 3].map(call);
    await new Promise(setImmediate);
    await Promise.all([...early, ...Array.from({ length: 37 }, (_, id) => call(id))]);
    expect(sizes.slice(0, 4)).toEqual([3, 20, 20, 20]);
    expect(sizes.reduce((left, right) => left + right)).toBe(400);
  });

  it('halves the items that arrive at rest, unless they are few', async () => {
    const sizesOf = async (count: number) => {
      const sizes: number[] = [];
      const batcher = new Batcher<number, number>(
        async items => {
          sizes.push(items.length);
          return items;
        },
        { ...OPTIONS, isHalved: true },
      );
      await Promise.all(Array.from({ length: count }, (_, index) => batcher.add(index)));
      return sizes;
    };
    expect(await sizesOf(40)).toEqual([20, 20]);
    expect(await sizesOf(5)).toEqual([4, 1]);
    expect(await sizesOf(4)).toEqual([4]);
  });

  it('overlaps only slow batches, and only up to its limit', async () => {
    const batches: { items: number[]; end: () => void }[] = [];
    const batcher = new Batcher<number, number>(
      async items => {
        const { promise, resolve } = Promise.withResolvers<void>();
        batches.push({ items, end: resolve });
        await promise;
        return items;
      },
      { concurrency: 2, overlapAfterMs: 60, maxBatch: 100 },
    );
    const started = performance.now();
    const begun = (count: number) =>
      eventually(
        async () => batches.length,
        length => length === count,
      );
    const all = [batcher.add(1)];
    await begun(1);
    all.push(batcher.add(2));
    await begun(2);
    // The first batch was slow. A timer may fire a millisecond early.
    expect(performance.now() - started).toBeGreaterThanOrEqual(59);
    all.push(batcher.add(3));
    await setTimeout(120);
    expect(batches).toHaveLength(2);
    batches[0]!.end();
    await begun(3);
    all.push(batcher.add(4));
    for (const { end } of batches) end();
    await begun(4);
    batches[3]!.end();
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4]);
  });

  it('executes as many items as are admitted, and meanwhile accepts more', async () => {
    const batches: number[][] = [];
    const asked: number[][] = [];
    const slot = Promise.withResolvers<number>();
    const batcher = new Batcher<number, number>(
      async items => {
        batches.push(items);
        return items;
      },
      {
        ...OPTIONS,
        admit: waiting => {
          asked.push([...waiting]);
          return asked.length === 1 ? slot.promise : Promise.resolve(waiting.length);
        },
      },
    );
    const early = [batcher.add(1), batcher.add(2), batcher.add(3)];
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    const late = batcher.add(4);
    slot.resolve(2);
    expect(await Promise.all([...early, late])).toEqual([1, 2, 3, 4]);
    expect(asked).toEqual([
      [1, 2, 3],
      [3, 4],
    ]);
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('executes at most the maximum weight at once, and a heavier item separately', async () => {
    const batches: number[][] = [];
    const batcher = new Batcher<number, number>(
      async items => {
        batches.push(items);
        return items;
      },
      { ...OPTIONS, weight: { max: 10, of: item => item } },
    );
    const items = [4, 6, 1, 25, 3, 3, 3, 3];
    expect(await Promise.all(items.map(item => batcher.add(item)))).toEqual(items);
    expect(batches).toEqual([[4, 6], [1], [25], [3, 3, 3], [3]]);
  });

  it('fails all items of a failed batch', async () => {
    const batcher = new Batcher<number, number>(() => Promise.reject(new Error('away')), OPTIONS);
    const results = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
    expect(results.map(result => result.status)).toEqual(['rejected', 'rejected']);
  });

  it('fails the queued items when their admission fails, and continues with later ones', async () => {
    let isAway = true;
    const batcher = new Batcher<number, number>(async items => items, {
      ...OPTIONS,
      admit: async waiting => {
        if (isAway) throw new Error('away');
        return waiting.length;
      },
    });
    const results = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
    expect(results.map(result => result.status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    expect(await batcher.add(3)).toBe(3);
  });

  it('retries each item separately when one may be at fault, so that only it fails', async () => {
    const batcher = new Batcher<number, number>(
      async items => {
        if (items.includes(2)) throw new Error('two is bad');
        return items;
      },
      { ...OPTIONS, isolate: () => true },
    );
    const results = await Promise.allSettled([1, 2, 3].map(item => batcher.add(item)));
    expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
