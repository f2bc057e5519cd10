import type { ServerResponse } from 'node:http';

/** A signal that aborts when the client leaves before its answer is complete; made at the first call. */
export function goneSignal(response: ServerResponse): () => AbortSignal {
  let controller: AbortController | undefined;
  return () => {
    if (controller) return controller.signal;
    const made = new AbortController();
    controller = made;
    const leave = () => {
      if (!response.writableFinished) made.abort(new DOMException('The client has gone.', 'AbortError'));
    };
    if (response.closed || response.destroyed) leave();
    else response.on('close', leave);
    return made.signal;
  };
}
