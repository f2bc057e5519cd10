import net, { type AddressInfo } from 'node:net';

export interface StatementProxy {
  /** Address of the database through the proxy. */
  databaseUrl: string;
  /** Returns the text of every statement that clients have executed since the last call. */
  taken(): string[];
  close(): Promise<void>;
}

/** A proxy in front of the database at `url` that records the statements of its clients, whatever their driver. */
export async function startStatementProxy(url: string): Promise<StatementProxy> {
  const target = new URL(url);
  let executed: string[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer(client => {
    const upstream = net.connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    const read = reader(text => executed.push(text));
    client.on('data', read);
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const proxied = new URL(url);
  proxied.port = String((server.address() as AddressInfo).port);
  return {
    databaseUrl: proxied.href,
    taken() {
      const texts = executed;
      executed = [];
      return texts;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** Parses the messages of one client: https://www.postgresql.org/docs/current/protocol-message-formats.html. */
function reader(onExecute: (text: string) => void): (chunk: Buffer) => void {
  const named = new Map<string, string>();
  let bound = '';
  let rest = Buffer.alloc(0);
  let isStarted = false;
  return chunk => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      // The first message has no type.
      const head = isStarted ? 1 : 0;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      const type = isStarted ? String.fromCharCode(rest[0]!) : 'start';
      const texts = rest
        .subarray(head + 4, end)
        .toString('latin1')
        .split('\0');
      rest = rest.subarray(end);
      isStarted = true;
      if (type === 'Q') onExecute(texts[0]!);
      else if (type === 'P') named.set(texts[0]!, texts[1]!);
      else if (type === 'B') bound = named.get(texts[1]!) ?? '';
      else if (type === 'E') onExecute(bound);
    }
  };
}
