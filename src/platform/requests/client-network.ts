import ipaddr from 'ipaddr.js';
import { memoize } from '../memory/memoize.js';

/**
 * Returns the network by which limits count an address: the IPv4 address itself or the /64 of an IPv6 address, the
 * smallest assignment to one subscriber (RFC 6177). All callers without an address share one network. The address is that
 * of `clientAddress`, which converts IPv4 addresses in IPv6 form (`::ffff:192.0.2.1`); all of these are in one /64.
 */
export function toClientNetwork(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  return address.includes(':') ? ofIPv6(address, 4) : address;
}

/** Returns the wider network of an address: the /24 for IPv4, the /48 for IPv6. */
export function toWiderNetwork(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  return address.includes(':') ? ofIPv6(address, 3) : address.replace(/\.\d+$/, '.0/24');
}

function ofIPv6(address: string, groups: number): string {
  const [bare = ''] = address.split('%');
  if (!ipaddr.IPv6.isValid(bare)) return address;
  const parts = partsOf(bare).split(':').slice(0, groups);
  return `${parts.join(':')}::/${groups * 16}`;
}

const partsOf = memoize(address => ipaddr.IPv6.parse(address).toNormalizedString());
