import type { CallContext } from './ports.js';

/** Returns a copy of the call context with another `waitFor`. */
export function callWith(call: CallContext, waitFor: NonNullable<CallContext['waitFor']>): CallContext {
  const { signal, idempotencyKey, place } = call;
  return { signal, idempotencyKey, ...(place ? { place } : {}), waitFor };
}
