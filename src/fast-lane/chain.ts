import type { ServerResponse } from 'node:http';
import type { ErrorHandler } from '../http/middleware/error-handler.js';
import type { Incoming, Step } from '../http/middleware/step.js';

/** Runs middleware in order; the last one responds. Express's layer matching takes longer than the middleware itself. */
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
