import type { CallContext, WaitFor } from './call-context.js';

/** Returns a copy of the context of a model call with another `waitFor`. It has no `log`, which only scripts use. */
export function withWaitFor(call: CallContext, waitFor: WaitFor): CallContext {
  const { signal, idempotencyKey, place } = call;
  return { signal, idempotencyKey, ...(place ? { place } : {}), waitFor };
}

/** Waits for what a call needs in order to start, such as a free slot. The `waitFor` of the call observes the wait. */
export function waitObserved<T>(call: Pick<CallContext, 'waitFor'>, promise: Promise<T>): Promise<T> {
  return call.waitFor ? call.waitFor(promise) : promise;
}
