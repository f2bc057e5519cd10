import { presentScope } from '../tracing/scope.js';

/** Undefined outside a request, and for what comes over a socket. */
export function presentRequestId(): string | undefined {
  return presentScope()?.requestId;
}
