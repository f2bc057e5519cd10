import type { ServerResponse } from 'node:http';
import { Ending, type EndSignal } from '../platform/async/ending.js';

/** A signal that aborts when the client leaves before its answer is complete; made at the first call. */
export function goneSignal(response: ServerResponse): () => EndSignal {
  let gone: Ending | undefined;
  return () => {
    if (gone) return gone;
    const made = new Ending();
    gone = made;
    const leave = () => {
      if (!response.writableFinished) made.end(new DOMException('The client has gone.', 'AbortError'));
    };
    if (response.closed || response.destroyed) leave();
    else response.on('close', leave);
    return made;
  };
}
