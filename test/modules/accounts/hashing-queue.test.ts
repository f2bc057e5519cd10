import { expect, it } from '@jest/globals';
import { HashingQueue } from '../../../src/modules/accounts/users/hashing-queue.js';
import { RateLimitedError } from '../../../src/platform/errors/errors.js';
import { SlotGauge } from '../../../src/platform/metrics/slot-gauge.js';
import { eventually } from '../../support/eventually.js';

/** Creates a queue with hashes that end only when the test releases them, and records the order in which they start. */
function createQueue() {
  const waits: number[] = [];
  const gauge = new SlotGauge('password', seconds => waits.push(seconds));
  const queue = new HashingQueue(gauge, 1);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const enter = (network: string, isKnown = false) =>
    queue.run({ network, isKnown }, () => {
      started.push(network);
      return new Promise<void>(resolve => ends.push(resolve));
    });
  const settle = () => new Promise<void>(resolve => setImmediate(resolve));
  return {
    started,
    enter,
    gauge,
    waits,
    /** Releases the running hashes one after the other until the queue is empty. */
    async drain() {
      for (await settle(); ends.length > 0; await settle()) ends.shift()!();
    },
  };
}

it('a client waits for at most one hash of a network that floods the queue', async () => {
  const { started, enter, drain } = createQueue();
  const flood = Array.from({ length: 30 }, () => enter('flood'));
  const ordinary = enter('honest');
  await drain();
  await Promise.all([...flood, ordinary]);
  expect(started.indexOf('honest')).toBe(2);
  expect(started).toHaveLength(31);
});

it('known clients come before all others', async () => {
  const { started, enter, drain } = createQueue();
  const all = ['a', 'b', 'c', 'd'].map(network => enter(network));
  all.push(enter('home', true));
  await drain();
  await Promise.all(all);
  expect(started).toEqual(['a', 'home', 'b', 'c', 'd']);
});

it('a network has a limited number of waiting hashes, and a full queue drops one of the network that has most', async () => {
  const { started, enter, drain } = createQueue();
  const refused: string[] = [];
  const tried = (network: string) =>
    enter(network).catch((error: unknown) => {
      if (!(error instanceof RateLimitedError)) throw error;
      refused.push(network);
    });
  // One runs, 32 wait, 7 are refused.
  const all = Array.from({ length: 40 }, () => tried('n0'));
  for (let network = 1; network < 8; network++) for (let n = 0; n < 32; n++) all.push(tried(`n${network}`));
  // 256 wait: the queue is full.
  all.push(tried('honest'));
  await drain();
  await Promise.all(all);
  expect(refused).toHaveLength(7 + 1);
  expect(refused.slice(0, 7)).toEqual(Array(7).fill('n0'));
  expect(started).toContain('honest');
  expect(started).toHaveLength(1 + 256);
});

it('running and queued hashes, the oldest wait and the end of each wait are measured', async () => {
  const { enter, drain, gauge, waits } = createQueue();
  const read = async () => ({
    running: gauge.inUse,
    queued: [...gauge.queues].map(({ waiting }) => waiting),
    oldestWaitMs: Math.max(...[...gauge.queues].map(({ oldestWaitMs }) => oldestWaitMs)),
  });
  const all = [enter('a'), enter('a'), enter('b', true)];
  const measured = await eventually(read, ({ oldestWaitMs }) => oldestWaitMs > 20);
  expect(measured).toMatchObject({ running: 1, queued: [2] });
  expect(waits).toEqual([]);
  await drain();
  await Promise.all(all);
  expect(await read()).toEqual({ running: 0, queued: [0], oldestWaitMs: 0 });
  expect(waits).toHaveLength(2);
  expect(Math.min(...waits)).toBeGreaterThan(0.02);
});
