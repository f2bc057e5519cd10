import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { TickBarrier } from '../../src/fast-lane/tick-barrier.js';

/** Steps of this many callers in one tick, in the order of their execution. */
async function stepsOf(barrier: TickBarrier, names: readonly string[]): Promise<string[]> {
  const steps: string[] = [];
  const work = async (name: string) => {
    await barrier.gather();
    steps.push(`${name}1`);
    await undefined;
    steps.push(`${name}2`);
  };
  await Promise.all(names.map(work));
  return steps;
}

describe('TickBarrier', () => {
  it('lets a single caller continue immediately', async () => {
    const barrier = new TickBarrier();
    for (let turn = 0; turn < 3; turn++) {
      expect(barrier.gather()).toBeUndefined();
      await setImmediate();
    }
  });

  it('lets the callers of one tick continue together, step by step, once there are many', async () => {
    const barrier = new TickBarrier();
    expect(await stepsOf(barrier, ['a', 'b', 'c'])).toEqual(['a1', 'a2', 'b1', 'c1', 'b2', 'c2']);
    expect(await stepsOf(barrier, ['a', 'b', 'c'])).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
  });

  it('does not wait once callers are single again', async () => {
    const barrier = new TickBarrier();
    await stepsOf(barrier, ['a', 'b']);
    expect(barrier.gather()).toBeInstanceOf(Promise);
    await setImmediate();
    expect(barrier.gather()).toBeUndefined();
  });

  it('lets at most 32 continue together, so that the first finish before the last begin', async () => {
    const barrier = new TickBarrier();
    const names = Array.from({ length: 40 }, (_, index) => `n${index}.`);
    await stepsOf(barrier, ['a', 'b']);
    const steps = await stepsOf(barrier, names);
    const group = (from: number, to: number) => {
      const some = names.slice(from, to);
      return [...some.map(name => `${name}1`), ...some.map(name => `${name}2`)];
    };
    expect(steps).toEqual([...group(0, 32), ...group(32, 40)]);
  });
});
