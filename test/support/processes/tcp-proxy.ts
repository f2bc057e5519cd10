import net, { type AddressInfo } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Breaks all connections and refuses new ones, like a stopped server. */
  cut(): Promise<void>;
  /** Forwards no bytes and no closes in either direction, for existing and new connections, like a broken network path. */
  dropAll(): void;
  /** Forwards new connections again. Connections that `dropAll` has silenced stay silent. */
  restore(): Promise<void>;
}

export interface ProxyTarget {
  host: string;
  port: number;
}

/** A TCP proxy between a client and a server, on one port for its whole life. */
export async function startTcpProxy(target: ProxyTarget, { host = '127.0.0.1', port = 0 } = {}): Promise<TcpProxy> {
  const flows = new Set<Flow>();
  let isSilent = false;
  let currentPort = port;
  let server: net.Server | undefined;
  const listen = async () => {
    isSilent = false;
    if (server) return;
    const listener = net.createServer({ allowHalfOpen: true }, client => {
      const flow = new Flow(client, isSilent ? undefined : net.connect({ ...target, allowHalfOpen: true }));
      flows.add(flow);
      flow.whenClosed(() => flows.delete(flow));
    });
    await new Promise<void>(resolve => listener.listen(currentPort, host, resolve));
    currentPort = (listener.address() as AddressInfo).port;
    server = listener;
  };
  await listen();
  return {
    port: currentPort,
    async cut() {
      const closed = new Promise(resolve => (server ? server.close(resolve) : resolve(undefined)));
      server = undefined;
      for (const flow of flows) flow.destroy();
      await closed;
    },
    dropAll() {
      isSilent = true;
      for (const flow of flows) flow.isSilent = true;
    },
    restore: listen,
  };
}

/** A connection through the proxy. Without `upstream` it is accepted, and its bytes are dropped. */
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

  whenClosed(onClose: () => void): void {
    this.client.once('close', () =>
      this.isSilent && this.upstream ? this.upstream.once('close', onClose) : onClose(),
    );
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
