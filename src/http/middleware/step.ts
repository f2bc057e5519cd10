import type { IncomingMessage, ServerResponse } from 'node:http';

/** What has been read of a request: `body`, undefined when there was nothing to read. */
export type Incoming = IncomingMessage & { body?: unknown };

/**
 * What stands before an answer: it answers itself, or lets the next one. Written against Node's own requests, so that it
 * serves in a chain and in Express alike.
 */
export type Step = (request: Incoming, response: ServerResponse, next: (error?: unknown) => void) => void;

/**
 * Steps in their order, the last of which answers. REST goes through such a chain: Express spends more on finding out
 * which of its layers a request concerns than they do on it.
 */
export function chain(
  steps: readonly Step[],
  onError: (error: unknown, request: Incoming, response: ServerResponse) => void,
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
