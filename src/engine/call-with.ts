import type { CallContext } from './ports.js';

/** The same call with another way to wait for its turn. */
export function callWith(call: CallContext, waitFor: NonNullable<CallContext['waitFor']>): CallContext {
  const { signal, idempotencyKey, place } = call;
  return { signal, idempotencyKey, ...(place ? { place } : {}), waitFor };
}
