import { lookup } from 'node:dns/promises';
import { isIP, Socket } from 'node:net';
import type { AbortSignalLike } from '../async/abort-signal.js';
import { AddressPolicy } from './address-policy.js';
import { guardedLookup, type Resolve } from './connector.js';
import { OutboundError, toOutboundError } from './errors.js';

/** Opens a TCP connection. Throws an OutboundError, or the reason of the signal. */
export type SocketOpener = (host: string, port: number, signal: AbortSignalLike) => Promise<Socket>;

export interface SocketOptions {
  /** Entries of OUTBOUND_ALLOW. */
  allow: readonly string[];
  /** Allows any address, for addresses that the operator configured. */
  trusted?: boolean;
  /** Resolves host names. Default: the resolver of the system. */
  resolve?: Resolve;
}

const CONNECT_MS = 10_000;

/** Creates a function that opens connections for other protocols than HTTP, only to allowed addresses. */
export function createSocketOpener({ allow, trusted = false, resolve }: SocketOptions): SocketOpener {
  const policy = new AddressPolicy(allow);
  const resolveAll = resolve ?? (hostname => lookup(hostname, { all: true }));
  return async (host, port, signal) => {
    signal.throwIfAborted();
    if (!trusted && isIP(host) && !policy.allowsAddress(host, port)) throw policy.refusal();
    const socket = new Socket();
    const late = () => socket.destroy(new OutboundError('timeout', `No connection within ${CONNECT_MS / 1000} s.`));
    const timer = setTimeout(late, CONNECT_MS);
    const abort = () => socket.destroy(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise<Socket>((connected, failed) => {
        socket.once('error', failed);
        // The checked address is the connected one, even if the name later resolves differently.
        const guard = trusted ? {} : { lookup: guardedLookup(policy, resolveAll, port) };
        socket.connect({ host, port, ...guard }, () => {
          socket.off('error', failed);
          connected(socket);
        });
      });
    } catch (error) {
      throw signal.aborted ? signal.reason : toOutboundError(error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  };
}
