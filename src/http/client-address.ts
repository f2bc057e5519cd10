import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import { memoize } from '../platform/memory/memoize.js';

/** Returns the IP address of the client, or undefined after its connection has closed. */
export type ClientAddress = (request: IncomingMessage) => string | undefined;

/**
 * Creates the function that finds the client address: the peer of the connection or, if that is a trusted proxy, the last untrusted
 * address in `X-Forwarded-For`. The header is ignored on other connections, and so are values that are not IP addresses. The address
 * is never an IPv4 address in IPv6 form.
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

/**
 * Converts IPv4-mapped IPv6 addresses (RFC 4291, section 2.5.5.2) to IPv4. Dual-stack sockets report IPv4 addresses in
 * this form. Proxies may write it in another spelling, such as `::FFFF:cb00:7107`.
 */
const unmapped = memoize(address => {
  const mapped = ipaddr.IPv6.isValid(address) ? ipaddr.IPv6.parse(address) : undefined;
  return mapped?.isIPv4MappedAddress() ? mapped.toIPv4Address().toString() : address;
});
