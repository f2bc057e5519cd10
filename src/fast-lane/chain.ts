import type { ServerResponse } from 'node:http';
import type { ErrorHandler } from '../http/middleware/error-handler.js';
import type { Incoming, Step } from '../http/middleware/step.js';

/** Steps in their order, the last of which responds: Express spends more on matching its layers than they do on a request. */
export function chain(
  steps: readonly Step[],
  onError: ErrorHandler,
): (request: Incoming, response: ServerResponse) => void {
  return (request, response) => {
    let at = 0;
    const next = (error?: unknown): void => {
      if (error !== undefined) return onError(error, request, response);
      const step = steps[at++];
      try {
        step?.(request, response, next);
      } catch (thrown) {
        onError(thrown, request, response);
      }
    };
    next();
  };
}
