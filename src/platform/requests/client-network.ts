import ipaddr from 'ipaddr.js';
import { memoize } from '../memory/memoize.js';

/**
 * Returns the network that limits count an address as: an IPv4 address itself, the /64 of an IPv6 address, which is the
 * least that one subscriber has (RFC 6177). Without an address: one network for all such callers.
 */
export function toClientNetwork(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  return address.includes(':') ? ofIPv6(address, 4) : address;
}

/** Returns the wider network of an address: the /24 of IPv4, the /48 of IPv6. */
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
