import { memoize } from '../memory/memoize.js';
import { OutboundError } from './errors.js';

export type Headers = Record<string, string>;

/** They frame the message or belong to the connection: the client sets them itself. */
const ownHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'proxy-connection',
  'proxy-authorization',
]);

/**
 * What goes along to another origin. Users put keys into headers of any name, so those that are known to hold none are
 * kept, rather than those that are known to hold one dropped.
 */
const harmlessHeaders = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-type',
  'idempotency-key',
  'range',
  'user-agent',
]);

const tokenPattern = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;

/** A name as it is sent: most calls bear the same few. */
const nameSent = memoize(name => {
  if (!tokenPattern.test(name)) throw new OutboundError('bad_request', 'A header name is not a valid HTTP token.');
  return name.toLowerCase();
});

/** What was made of headers that stay as they are. */
const made = new WeakMap<Readonly<Headers>, Readonly<Headers>>();

/**
 * The headers to send, names in lower case. A name or value that could split the request is refused. Frozen ones are looked
 * at once: a provider is sent the same ones all the time.
 */
export function requestHeaders(given: Readonly<Headers>): Readonly<Headers> {
  const known = made.get(given);
  if (known) return known;
  const headers: Headers = { 'accept-encoding': 'gzip, br' };
  for (const [name, value] of Object.entries(given)) {
    const lower = nameSent(name);
    if (ownHeaders.has(lower)) continue;
    if (!valuePattern.test(value)) {
      const message = `The header ${lower} must be one line of Latin-1 characters without control characters.`;
      throw new OutboundError('bad_request', message);
    }
    headers[lower] = value;
  }
  if (Object.isFrozen(given)) made.set(given, headers);
  return headers;
}

export function headersForOtherOrigin(headers: Readonly<Headers>): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmlessHeaders.has(name)));
}

export function headersWithoutBody(headers: Readonly<Headers>): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')));
}

export type RawHeaders = Record<string, string | string[] | undefined>;

/** The headers themselves where each was sent once. */
export function responseHeaders(raw: RawHeaders): Headers {
  const names = Object.keys(raw);
  if (names.every(name => typeof raw[name] === 'string')) return raw as Headers;
  const headers: Headers = Object.create(null) as Headers;
  for (const name of names) {
    const value = raw[name];
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
