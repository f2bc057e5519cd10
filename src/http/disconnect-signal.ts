import type { ServerResponse } from 'node:http';
import type { AbortControllerLike, AbortSignalLike } from '../platform/async/abort-signal.js';
import { ClientDisconnectedError } from '../platform/requests/client-disconnected-error.js';

/** Returns a getter of the signal that aborts if the client disconnects before its response is complete. The first call creates it. */
export function disconnectSignalGetter(
  response: ServerResponse,
  createController: () => AbortControllerLike = () => new AbortController(),
): () => AbortSignalLike {
  let controller: AbortControllerLike | undefined;
  return () => {
    if (controller) return controller.signal;
    const created = createController();
    controller = created;
    const onClose = () => {
      if (!response.writableFinished) created.abort(new ClientDisconnectedError());
    };
    if (response.closed || response.destroyed) onClose();
    else response.on('close', onClose);
    return created.signal;
  };
}
