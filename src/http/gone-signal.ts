import type { ServerResponse } from 'node:http';
import type { AbortControllerLike, AbortSignalLike } from '../platform/async/abort-signal.js';

/** A signal that aborts when the client leaves before its response is complete; created at the first call. */
export function goneSignal(
  response: ServerResponse,
  createController: () => AbortControllerLike = () => new AbortController(),
): () => AbortSignalLike {
  let controller: AbortControllerLike | undefined;
  return () => {
    if (controller) return controller.signal;
    const created = createController();
    controller = created;
    const leave = () => {
      if (!response.writableFinished) created.abort(new DOMException('The client has gone.', 'AbortError'));
    };
    if (response.closed || response.destroyed) leave();
    else response.on('close', leave);
    return created.signal;
  };
}
