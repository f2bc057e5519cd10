import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { DeferredBatch } from '../../src/platform/async/deferred-batch.js';
import { currentContext, withContext } from '../../src/platform/tracing/work-context.js';

describe('work after the answers', () => {
  const recordingBatch = () => {
    const done: number[] = [];
    return { done, batch: new DeferredBatch<number>(item => done.push(item)) };
  };

  it('is executed in order, after the work in progress', async () => {
    const { done, batch } = recordingBatch();
    for (const item of [1, 2, 3]) batch.add(item);
    expect(done).toEqual([]);
    await untilDone(done, 3);
    expect(done).toEqual([1, 2, 3]);
    batch.add(4);
    await untilDone(done, 4);
    expect(done).toEqual([1, 2, 3, 4]);
  });

  it('is executed before the delay once a limit of items is queued', async () => {
    const { done, batch } = recordingBatch();
    for (let item = 0; item < 1_000; item++) {
      batch.add(item);
      if (item % 50 === 49) await new Promise(setImmediate);
      expect(item - done.length).toBeLessThan(60);
    }
    batch.flush();
    expect(done).toEqual([...done.keys()]);
    expect(done).toHaveLength(1_000);
  });

  it('is executed immediately on flush, and only once', async () => {
    const { done, batch } = recordingBatch();
    batch.add(1);
    batch.flush();
    batch.flush();
    expect(done).toEqual([1]);
    batch.add(2);
    await untilDone(done, 2);
    expect(done).toEqual([1, 2]);
  });

  it('has no context of its callers', async () => {
    const requestIds: unknown[] = [];
    const batch = new DeferredBatch<null>(() => requestIds.push(currentContext()?.requestId));
    withContext({ requestId: 'first' }, () => batch.add(null));
    withContext({ requestId: 'second' }, () => batch.add(null));
    await untilDone(requestIds, 2);
    expect(requestIds).toEqual([undefined, undefined]);
  });
});

async function untilDone(done: unknown[], count: number): Promise<void> {
  while (done.length < count) await setTimeout(1);
}
