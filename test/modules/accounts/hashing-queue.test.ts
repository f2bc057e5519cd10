import { expect, it } from '@jest/globals';
import { HashingQueue } from '../../../src/modules/accounts/users/hashing-queue.js';
import { RateLimitedError } from '../../../src/platform/errors/errors.js';

/** Creates a queue with hashes that end only when the test releases them, and records the order in which they start. */
function createQueue() {
  const queue = new HashingQueue(1);
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
