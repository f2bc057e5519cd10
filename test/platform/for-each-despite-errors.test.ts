import { expect, it } from '@jest/globals';
import { forEachDespiteErrors } from '../../src/platform/async/for-each-despite-errors.js';

it('calls the action for the items after one that fails, and then throws the first error', async () => {
  const called: number[] = [];
  const calls = forEachDespiteErrors([1, 2, 3, 4], async item => {
    called.push(item);
    if (item % 2 === 0) throw new Error(`item ${item}`);
  });
  await expect(calls).rejects.toThrow('item 2');
  expect(called).toEqual([1, 2, 3, 4]);
});
