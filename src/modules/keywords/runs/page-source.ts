import { UnreadableError } from '../../../engine/text/unreadable.js';
import { OutboundError } from '../../../platform/outbound/errors.js';
import type { Outbound } from '../../../platform/outbound/outbound.js';

const MAX_MEGABYTES = 10;
/** Time limit in milliseconds, from the DNS lookup to the last byte, including redirects. */
const TIMEOUT_MS = 30_000;
const HEADERS = {
  accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,application/pdf;q=0.8,*/*;q=0.1',
  'user-agent': 'Scenarium (keyword runs)',
};

/** Downloads a page. Throws an `UnreadableError` with the reason if the download fails. */
export async function fetchPage(outbound: Outbound, url: string, signal: AbortSignal): Promise<Buffer> {
  try {
    const { status, body } = await outbound.request({
      method: 'GET',
      url,
      headers: HEADERS,
      signal,
      maxResponseBytes: MAX_MEGABYTES * 1024 * 1024,
      timeoutMs: TIMEOUT_MS,
      followRedirects: true,
    });
    if (status < 200 || status > 299) throw new UnreadableError(`The page returned the HTTP status ${status}.`);
    return body;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.code === 'response_too_large')
      throw new UnreadableError(`The page is larger than the allowed ${MAX_MEGABYTES} MB.`);
    throw new UnreadableError(`The page could not be fetched: ${error.message}`);
  }
}
