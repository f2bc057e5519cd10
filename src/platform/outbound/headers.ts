import { memoize } from '../memory/memoize.js';
import { OutboundError } from './errors.js';

export type Headers = Record<string, string>;

/** Headers that frame the message or belong to the connection. The client sets them itself. */
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
 * Headers that are kept on a redirect to another origin. Users put keys into headers of any name, so this is an allow
 * list.
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

/** The lower-case form of a valid name. Cached because most calls use the same few. */
const toHeaderName = memoize(name => {
  if (!tokenPattern.test(name)) throw new OutboundError('bad_request', 'A header name is not a valid HTTP token.');
  return name.toLowerCase();
});

/** Prepared headers by frozen input. */
const prepared = new WeakMap<Readonly<Headers>, Readonly<Headers>>();

/**
 * Returns the headers to send, with lower-case names. Throws for names or values that could split the request. Frozen
 * headers are checked once, because a provider always gets the same ones.
 */
export function requestHeaders(input: Readonly<Headers>): Readonly<Headers> {
  const cached = prepared.get(input);
  if (cached) return cached;
  const headers: Headers = { 'accept-encoding': 'gzip, br' };
  for (const [name, value] of Object.entries(input)) {
    const lower = toHeaderName(name);
    if (ownHeaders.has(lower)) continue;
    if (!valuePattern.test(value)) {
      const message = `The header ${lower} must be one line of Latin-1 characters without control characters.`;
      throw new OutboundError('bad_request', message);
    }
    headers[lower] = value;
  }
  if (Object.isFrozen(input)) prepared.set(input, headers);
  return headers;
}

/** Returns the headers that are safe to send to another origin after a redirect. */
export function headersForOtherOrigin(headers: Readonly<Headers>): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmlessHeaders.has(name)));
}

/** Returns the headers without those that describe a body. */
export function headersWithoutBody(headers: Readonly<Headers>): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')));
}

export type RawHeaders = Record<string, string | string[] | undefined>;

/** Returns the raw headers, with repeated ones joined. Without repetitions it returns the same object. */
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
