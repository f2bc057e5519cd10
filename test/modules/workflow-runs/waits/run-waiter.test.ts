import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Viewer } from '../../../../src/modules/accounts/viewer.js';
import { RunWaiter } from '../../../../src/modules/workflow-runs/history/run-waiter.js';

type Parts = ConstructorParameters<typeof RunWaiter>;
const VIEWER: Viewer = { userId: 1, isAdmin: false, via: 'key' };

/** A waiter for runs that never end. `onOpen` is called while the changes of a run are opened. */
function createWaiter(onOpen: () => void) {
  let opened = 0;
  let closed = 0;
  const streams = {
    async open() {
      opened++;
      onOpen();
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise(() => {}),
          return: async () => {
            closed++;
            return { done: true, value: undefined };
          },
        }),
      };
    },
  };
  const waiter = new RunWaiter({} as Parts[0], streams as unknown as Parts[1], {} as Parts[2]);
  return { waiter, counts: () => ({ opened, closed }) };
}

it('ends a wait that is aborted while the changes are opened', async () => {
  const controller = new AbortController();
  const { waiter, counts } = createWaiter(() => controller.abort());
  await waiter.waitForEnd(VIEWER, randomUUID(), 60, controller.signal);
  expect(counts()).toEqual({ opened: 1, closed: 1 });
});

it('limits the waits that begin at the same time', async () => {
  const controller = new AbortController();
  const { waiter, counts } = createWaiter(() => {});
  const waits = Array.from({ length: 2_100 }, () => waiter.waitForEnd(VIEWER, randomUUID(), 60, controller.signal));
  await new Promise(resolve => setImmediate(resolve));
  controller.abort();
  await Promise.all(waits);
  expect(counts()).toEqual({ opened: 2_000, closed: 2_000 });
});
