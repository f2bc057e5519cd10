import { isIP, type LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { buildConnector } from 'undici';
import { type AddressPolicy, bareHost } from './address-policy.js';

export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;
type Connector = buildConnector.connector;

/**
 * Opens connections only to allowed addresses. The check runs inside the lookup of the connection itself. The checked
 * address is therefore the connected one, even if the name later resolves differently. Node skips the lookup for
 * literal addresses, so these are checked here.
 */
export function guardedConnector(build: typeof buildConnector, policy: AddressPolicy, resolve: Resolve): Connector {
  // A lookup receives the name but not the port, which entries of the allow list may contain.
  const byPort = new LRUCache<number, Connector>({ max: 256 });
  const connectorFor = (port: number): Connector => {
    const cached = byPort.get(port);
    if (cached) return cached;
    const connector = build({ ...connectorOptions, lookup: guardedLookup(policy, resolve, port) });
    byPort.set(port, connector);
    return connector;
  };
  return (options, callback) => {
    const host = bareHost(options.hostname);
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    if (isIP(host) && !policy.allowsAddress(host, port)) {
      process.nextTick(() => callback(policy.refusal(), null));
      return;
    }
    connectorFor(port)(options, callback);
  };
}

/** HTTP/1.1 only. With one request per connection, a slow or hostile response cannot delay others. */
export const connectorOptions = { allowH2: false, timeout: 10_000 } as const;

/** A lookup for connections to one port that fails if an address is not allowed. */
export function guardedLookup(policy: AddressPolicy, resolve: Resolve, port: number): LookupFunction {
  return (hostname, options, callback) => {
    const fail = (error: unknown) => callback(error as NodeJS.ErrnoException, []);
    resolve(bareHost(hostname)).then(addresses => {
      const first = addresses[0];
      if (!first) return fail(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }));
      // A forbidden address among public ones indicates an attack or a misconfiguration. The host is rejected.
      const allowed =
        policy.allowsName(hostname, port) || addresses.every(({ address }) => policy.allowsAddress(address, port));
      if (!allowed) return fail(policy.refusal());
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    }, fail);
  };
}
