import { currentContext } from '../tracing/work-context.js';

/** Undefined outside a request, and for what comes over a socket. */
export function currentRequestId(): string | undefined {
  return currentContext()?.requestId;
}
