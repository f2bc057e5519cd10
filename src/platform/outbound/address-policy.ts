import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OutboundError } from './errors.js';

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

interface Entry {
  port: number | undefined;
  name?: string;
  network?: Network;
}

/** Metadata and health service of Azure machines, under an address that looks public. */
const azureHost = '168.63.129.16';
const nat64 = ipaddr.parseCIDR('64:ff9b::/96');
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Decides which addresses may be called for users: public ones and those listed in OUTBOUND_ALLOW. */
export class AddressPolicy {
  readonly #entries: Entry[];

  /** Throws for an entry that is not a host, host:port or CIDR. */
  constructor(allow: readonly string[]) {
    this.#entries = allow.map(parseEntry);
  }

  /** Whether connections to this address are allowed, independent of the name that resolved to it. */
  allowsAddress(address: string, port: number): boolean {
    const ip = parseAddress(address);
    if (!ip) return false;
    return isPublic(ip) || this.#entries.some(entry => matchesPort(entry, port) && contains(entry.network, ip));
  }

  /** Whether the operator allowed the host by name. The name may then resolve to any address. */
  allowsName(host: string, port: number): boolean {
    return this.#entries.some(entry => matchesPort(entry, port) && entry.name === bareHost(host));
  }

  refusal(): OutboundError {
    return new OutboundError(
      'address_refused',
      'The address is not allowed. Allowed: public http and https addresses, and those that the operator lists in OUTBOUND_ALLOW.',
    );
  }
}

/** Removes the brackets of an IPv6 literal and the trailing dot of a fully qualified name. */
export function bareHost(host: string): string {
  return host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
}

function matchesPort(entry: Entry, port: number): boolean {
  return entry.port === undefined || entry.port === port;
}

function contains(network: Network | undefined, ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return network !== undefined && network[0].kind() === ip.kind() && ip.match(network as [ipaddr.IPv4, number]);
}

/** Parses an address. An IPv4 address written as IPv6 (`::ffff:…`) counts as IPv4. */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return isIP(address) && ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
}

function isPublic(ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (ip instanceof ipaddr.IPv4) return ip.range() === 'unicast' && ip.toString() !== azureHost;
  // NAT64 maps every IPv4 address to such an address. The embedded IPv4 address is the real destination.
  if (contains(nat64, ip)) return isPublic(new ipaddr.IPv4(ip.toByteArray().slice(12)));
  return ip.range() === 'unicast' && contains(globalUnicast, ip);
}

/** Whether the text is a host, host:port or CIDR, the format of OUTBOUND_ALLOW. */
export function isAllowEntry(entry: string): boolean {
  try {
    parseEntry(entry);
    return true;
  } catch {
    return false;
  }
}

function parseEntry(entry: string): Entry {
  const malformed = () =>
    new Error(
      `OUTBOUND_ALLOW: got ${JSON.stringify(entry)}, expected a comma-separated list of host, host:port or CIDR`,
    );
  if (entry.includes('/')) {
    if (!ipaddr.isValidCIDR(entry)) throw malformed();
    const network = ipaddr.parseCIDR(entry);
    return { port: undefined, network };
  }
  if (isIP(entry)) return { port: undefined, network: singleAddress(entry) };
  const [, host, digits] = /^(\[[0-9a-f:.]+\]|[^\s:@?#\\*[\]%]+)(?::(\d{1,5}))?$/i.exec(entry) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (host === undefined || port === 0 || (port ?? 0) > 65535 || !URL.canParse(`http://${host}/`)) throw malformed();
  const name = bareHost(new URL(`http://${host}/`).hostname);
  return isIP(name) ? { port, network: singleAddress(name) } : { port, name };
}

function singleAddress(address: string): Network {
  const ip = ipaddr.process(address);
  return [ip, ip.toByteArray().length * 8];
}
