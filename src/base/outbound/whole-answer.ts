import type { Dispatcher } from 'undici';
import { tooLarge } from './body.js';
import type { RawHeaders } from './headers.js';

export interface WholeAnswer {
  statusCode: number;
  headers: RawHeaders;
  /** As received. */
  body: Buffer;
}

interface Limits {
  maxBytes: number;
  /** Whether the head is all that is wanted of such an answer. */
  isEnough(statusCode: number, headers: RawHeaders): boolean;
  signal: AbortSignal;
}

/**
 * One exchange whose answer is taken in whole. Without a stream in between: most answers are small, and the streams would
 * cost more than all the rest of the call. Rejects with the signal's reason, the client's error or that of the size.
 */
export function wholeAnswer(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { maxBytes, isEnough, signal }: Limits,
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let statusCode = 0;
    let headers: RawHeaders = {};
    let size = 0;
    const chunks: Buffer[] = [];
    const settle = () => signal.removeEventListener('abort', leave);
    const stop = (error: Error) => {
      settle();
      reject(error);
      controller?.abort(error);
    };
    // What still waits for a connection is told when it gets one.
    const leave = () => stop(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    const answered = () => {
      settle();
      resolve({ statusCode, headers, body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) });
    };
    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        if (signal.aborted) started.abort(signal.reason as Error);
      },
      onResponseStart(started, status, given) {
        if (status < 200) return;
        statusCode = status;
        headers = given;
        if (isEnough(status, given)) {
          answered();
          started.abort(new Error('no more is wanted'));
        } else if (request.method !== 'HEAD' && Number(given['content-length']) > maxBytes) stop(tooLarge(maxBytes));
      },
      onResponseData(_controller, chunk) {
        size += chunk.length;
        if (size > maxBytes) stop(tooLarge(maxBytes));
        else chunks.push(chunk);
      },
      onResponseEnd: answered,
      onResponseError(_controller, error) {
        settle();
        reject(error);
      },
    });
  });
}
