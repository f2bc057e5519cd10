import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Behind } from '../../src/platform/async/behind.js';
import { presentScope, within } from '../../src/platform/tracing/scope.js';

describe('work behind the answers', () => {
  const worker = () => {
    const done: number[] = [];
    return { done, behind: new Behind<number>(item => done.push(item)) };
  };

  it('is done in its order, after what is under way', async () => {
    const { done, behind } = worker();
    for (const item of [1, 2, 3]) behind.add(item);
    expect(done).toEqual([]);
    await untilDone(done, 3);
    expect(done).toEqual([1, 2, 3]);
    behind.add(4);
    await untilDone(done, 4);
    expect(done).toEqual([1, 2, 3, 4]);
  });

  it('does not gather without end', async () => {
    const { done, behind } = worker();
    for (let item = 0; item < 1_000; item++) {
      behind.add(item);
      if (item % 50 === 49) await new Promise(setImmediate);
      expect(item - done.length).toBeLessThan(60);
    }
    behind.flush();
    expect(done).toEqual([...done.keys()]);
    expect(done).toHaveLength(1_000);
  });

  it('is done at once when told, and not again', async () => {
    const { done, behind } = worker();
    behind.add(1);
    behind.flush();
    behind.flush();
    expect(done).toEqual([1]);
    await setTimeout(30);
    expect(done).toEqual([1]);
  });

  it('belongs to nobody who set it off', async () => {
    const scopes: unknown[] = [];
    const behind = new Behind<null>(() => scopes.push(presentScope()?.requestId));
    within({ requestId: 'first' }, () => behind.add(null));
    within({ requestId: 'second' }, () => behind.add(null));
    await untilDone(scopes, 2);
    expect(scopes).toEqual([undefined, undefined]);
  });
});

async function untilDone(done: unknown[], count: number): Promise<void> {
  while (done.length < count) await setTimeout(1);
}
