import { type CallContext, PortError } from '../engine/ports.js';
import { waitObserved } from '../engine/wait-for.js';
import { type FairQueue, QueueFullError } from '../platform/scheduling/fair-queue.js';

/**
 * Runs `work` in a slot of the queue. The call's `waitFor` observes the time until a slot is free. `busyCode` is the code of the
 * PortError that is thrown if too many calls of the project wait.
 */
export async function inSlot<T>(
  queue: FairQueue,
  projectId: number,
  call: Pick<CallContext, 'signal' | 'waitFor'>,
  busyCode: string,
  work: () => Promise<T>,
): Promise<T> {
  call.signal.throwIfAborted();
  if (!queue.tryAcquire(projectId)) await waitForSlot(queue, projectId, call, busyCode);
  try {
    return await work();
  } finally {
    queue.release(projectId);
  }
}

async function waitForSlot(
  queue: FairQueue,
  projectId: number,
  call: Pick<CallContext, 'signal' | 'waitFor'>,
  busyCode: string,
): Promise<void> {
  const slot = queue.acquire(projectId, call.signal);
  try {
    await waitObserved(call, slot);
  } catch (error) {
    // Releases a slot that is granted after the call was aborted.
    slot.then(
      () => queue.release(projectId),
      () => {},
    );
    if (!(error instanceof QueueFullError)) throw error;
    throw new PortError(busyCode, `${error.maxWaiting} calls of the project are already waiting. Try again later.`);
  }
}
