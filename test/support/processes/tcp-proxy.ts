import net, { type AddressInfo } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Breaks every connection and refuses new ones, as a server that went down does. */
  cut(): Promise<void>;
  /**
   * Swallows every byte in both directions and every end of a connection, of those that exist and of new ones, as a network
   * that lost its path does.
   */
  swallow(): void;
  /** Takes new connections to the server. Those that were swallowed stay silent for ever. */
  restore(): Promise<void>;
}

export interface ProxyTarget {
  host: string;
  port: number;
}

/** Stands between a client and a server, on one port for as long as it lives. */
export async function startTcpProxy(target: ProxyTarget, { host = '127.0.0.1', port = 0 } = {}): Promise<TcpProxy> {
  const flows = new Set<Flow>();
  let isSilent = false;
  let at = port;
  let server: net.Server | undefined;
  const listen = async () => {
    isSilent = false;
    if (server) return;
    const listener = net.createServer({ allowHalfOpen: true }, client => {
      const flow = new Flow(client, isSilent ? undefined : net.connect({ ...target, allowHalfOpen: true }));
      flows.add(flow);
      flow.whenClosed(() => flows.delete(flow));
    });
    await new Promise<void>(resolve => listener.listen(at, host, resolve));
    at = (listener.address() as AddressInfo).port;
    server = listener;
  };
  await listen();
  return {
    port: at,
    async cut() {
      const closed = new Promise(resolve => (server ? server.close(resolve) : resolve(undefined)));
      server = undefined;
      for (const flow of flows) flow.destroy();
      await closed;
    },
    swallow() {
      isSilent = true;
      for (const flow of flows) flow.isSilent = true;
    },
    restore: listen,
  };
}

/** A connection through the proxy; without `upstream` it leads nowhere. */
class Flow {
  isSilent: boolean;

  constructor(
    private readonly client: net.Socket,
    private readonly upstream: net.Socket | undefined,
  ) {
    this.isSilent = upstream === undefined;
    this.#forward(client, upstream);
    if (upstream) this.#forward(upstream, client);
  }

  whenClosed(tell: () => void): void {
    this.client.once('close', () => (this.isSilent && this.upstream ? this.upstream.once('close', tell) : tell()));
  }

  destroy(): void {
    this.client.destroy();
    this.upstream?.destroy();
  }

  #forward(from: net.Socket, to: net.Socket | undefined): void {
    from.on('error', () => {});
    from.on('data', chunk => {
      if (this.isSilent || to?.write(chunk) !== false) return;
      from.pause();
      to.once('drain', () => from.resume());
    });
    from.on('end', () => {
      if (!this.isSilent) to?.end();
    });
    from.on('close', () => {
      if (!this.isSilent) to?.destroy();
    });
  }
}
