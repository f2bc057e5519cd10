import { currentContext } from '../tracing/work-context.js';

/** Returns the id of the current request. Undefined outside of requests and for socket messages. */
export function currentRequestId(): string | undefined {
  return currentContext()?.requestId;
}
