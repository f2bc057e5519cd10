import { ReadableStream } from 'node:stream/web';
import type { Outbound } from './calls.js';
import { OutboundError } from './errors.js';

/** Limit for a streamed response without a limit of its own. Legitimate responses are smaller. */
const defaultMaxBytes = 256 * 1024 * 1024;
const STATUSES_WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * Creates a `fetch` with the address checks of the outbound client, for libraries that accept one. Request bodies are
 * read completely before sending. `redirect` works as usual: "follow" (each hop checked), "manual" and "error".
 */
export function createFetch(open: Outbound['open']): Outbound['fetch'] {
  return async (input, init) => {
    const request = new Request(input, init);
    const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined;
    const answer = await open({
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body,
      signal: request.signal,
      maxResponseBytes: defaultMaxBytes,
      followRedirects: request.redirect === 'follow',
      checkRedirect: init?.checkRedirect,
    });
    const { status, url } = answer;
    const discard = () => answer.body.on('error', () => {}).destroy();
    if (request.redirect === 'error' && status >= 300 && status < 400 && answer.headers.location !== undefined) {
      discard();
      throw new OutboundError(
        'too_many_redirects',
        'The server returned a redirect, but this call does not follow redirects.',
      );
    }
    if (status > 599) {
      discard();
      throw new OutboundError('bad_response', "The answer's status is not between 200 and 599.");
    }
    const empty = STATUSES_WITHOUT_BODY.has(status) || request.method === 'HEAD';
    if (empty) discard();
    // `Readable.toWeb` throws an uncaught exception when the reader cancels while a chunk is buffered.
    const stream = empty ? null : ReadableStream.from<Uint8Array>(answer.body);
    const response = new Response(stream, { status, headers: answer.headerList() });
    return Object.defineProperties(response, {
      url: { value: url },
      redirected: { value: url !== request.url },
    });
  };
}
