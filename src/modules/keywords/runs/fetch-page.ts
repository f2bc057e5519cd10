import { type HttpCaller, PortError } from '../../../engine/ports.js';
import { UnreadableError } from '../../../engine/text/unreadable.js';
import { OutboundError } from '../../../platform/outbound/errors.js';
import type { Outbound } from '../../../platform/outbound/outbound.js';

const MAX_MEGABYTES = 10;
const MAX_BYTES = MAX_MEGABYTES * 1024 * 1024;
/** Time limit in milliseconds, from the DNS lookup to the last byte, including redirects. */
const TIMEOUT_MS = 30_000;
const HEADERS = {
  accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,application/pdf;q=0.8,*/*;q=0.1',
  'user-agent': 'Scenarium (keyword runs)',
};

/** Returns a client that downloads pages. It throws a `PortError` if the download fails. */
export function pageFetcher(outbound: Outbound): HttpCaller {
  return {
    async request({ method, url, headers, maxResponseBytes }, { signal }) {
      try {
        const limits = { maxResponseBytes, timeoutMs: TIMEOUT_MS, followRedirects: true };
        const answer = await outbound.request({ method, url, headers, signal, ...limits });
        return { status: answer.status, headers: answer.headers, body: '', bytes: answer.body };
      } catch (error) {
        throw error instanceof OutboundError ? new PortError(error.code, error.message) : error;
      }
    },
  };
}

/** Downloads a page. Throws an `UnreadableError` with the reason if the download fails. */
export async function fetchPage(
  http: HttpCaller,
  page: { url: string; connectionId?: number },
  { signal, id }: { signal: AbortSignal; id: string },
): Promise<Uint8Array> {
  try {
    const request = { method: 'GET', headers: HEADERS, maxResponseBytes: MAX_BYTES, ...page };
    const { status, bytes } = await http.request(request, { signal, idempotencyKey: `${id}:page` });
    if (status < 200 || status > 299) throw new UnreadableError(`The page returned the HTTP status ${status}.`);
    return bytes!;
  } catch (error) {
    if (!(error instanceof PortError)) throw error;
    if (error.code === 'response_too_large')
      throw new UnreadableError(`The page is larger than the allowed ${MAX_MEGABYTES} MB.`);
    throw new UnreadableError(`The page could not be fetched: ${error.message}`);
  }
}
