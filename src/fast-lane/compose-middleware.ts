import type { ServerResponse } from 'node:http';
import type { ErrorHandler } from '../http/middleware/error-handler.js';
import type { IncomingRequest, Middleware } from '../http/middleware/middleware.js';

/** Runs middleware in order; the last one responds. Express's layer matching takes longer than the middleware itself. */
export function composeMiddleware(
  middleware: readonly Middleware[],
  onError: ErrorHandler,
): (request: IncomingRequest, response: ServerResponse) => void {
  return (request, response) => {
    let at = 0;
    const next = (error?: unknown): void => {
      if (error !== undefined) return onError(error, request, response);
      const current = middleware[at++];
      try {
        current?.(request, response, next);
      } catch (thrown) {
        onError(thrown, request, response);
      }
    };
    next();
  };
}
