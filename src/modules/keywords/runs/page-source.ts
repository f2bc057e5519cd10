import { UnreadableError } from '../../../engine/text/unreadable.js';
import { OutboundError } from '../../../platform/outbound/errors.js';
import type { Outbound } from '../../../platform/outbound/outbound.js';

const MAX_MEGABYTES = 10;
/** From the look-up of the name to the last byte, redirects included. */
const TIMEOUT_MS = 30_000;
const HEADERS = {
  accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,application/pdf;q=0.8,*/*;q=0.1',
  'user-agent': 'Scenarium (keyword runs)',
};

/** The bytes of a page, whatever it is. Throws an UnreadableError with the reason when there is none to be had. */
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
    if (status < 200 || status > 299) throw new UnreadableError(`The page answered with the status ${status}.`);
    return body;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.code === 'response_too_large')
      throw new UnreadableError(`The page is larger than the allowed ${MAX_MEGABYTES} MB.`);
    throw new UnreadableError(`The page could not be fetched: ${error.message}`);
  }
}
