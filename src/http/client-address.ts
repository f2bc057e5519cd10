import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import { memoize } from '../platform/memory/memoize.js';

/** Where a request came from: an IP address, or undefined once its connection is gone. */
export type ClientAddress = (request: IncomingMessage) => string | undefined;

/**
 * The address of the connection; of one that a trusted proxy made, the nearest address in `X-Forwarded-For` that is none
 * of the trusted ones. What others write there is not believed, nor what is no IP address.
 *
 * @param trusted IP addresses and CIDR blocks of proxies
 */
export function clientAddress(trusted: readonly string[]): ClientAddress {
  const isTrusted = proxyAddr.compile([...trusted]);
  return request => {
    const { remoteAddress } = request.socket;
    if (remoteAddress === undefined) return undefined;
    if (trusted.length === 0) return unmapped(remoteAddress);
    const address = proxyAddr(request, isTrusted);
    return unmapped(isIP(address) === 0 ? remoteAddress : address);
  };
}

/** IPv4 as it is written, on sockets that speak both. */
const unmapped = memoize(address => address.replace(/^::ffff:(?=\d+\.)/, ''));
