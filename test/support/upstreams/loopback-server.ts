import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type ServerOptions } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';

export interface LoopbackServer {
  port: number;
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Closes the open connections as well. May be called repeatedly. */
  close(): Promise<void>;
}

/** Starts a real HTTP server on 127.0.0.1, for the client under test to call. */
export function serveHttp(listener: RequestListener, options: ServerOptions = {}): Promise<LoopbackServer> {
  // A busy machine may pause for longer than the default, and a client would then use a closed connection.
  return listen(createHttpServer({ keepAliveTimeout: 60_000, ...options }, listener));
}

/** Starts a TCP server, for answers that no HTTP server gives. */
export function serveTcp(onConnection: (socket: Socket) => void): Promise<LoopbackServer> {
  return listen(createTcpServer(onConnection));
}

async function listen(server: Server): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  const close = async () => {
    const closed = new Promise(resolve => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port: address.port, url: `http://127.0.0.1:${address.port}`, close };
}
