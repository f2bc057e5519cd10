import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Use {
  underWay: number;
  /** When the last response left, or the connection was made. */
  since: number;
  /** Bytes that had been read by then. */
  read: number;
}

/**
 * Closes connections that have been idle for some time. Node sets a timer for that at each response and clears it at each request:
 * 4 % of a proxied call. One look at all connections every few seconds costs nothing.
 */
export class IdleConnections {
  readonly #uses = new Map<Socket, Use>();
  readonly #timer: NodeJS.Timeout;
  readonly #keepAlive: string;

  /** A connection is closed between `idleMs` and a tenth more after its last response. */
  constructor(
    server: Server,
    private readonly idleMs: number,
  ) {
    server.keepAliveTimeout = 0;
    server.on('connection', (socket: Socket) => {
      this.#uses.set(socket, { underWay: 0, since: performance.now(), read: 0 });
      socket.on('close', () => this.#uses.delete(socket));
    });
    this.#keepAlive = `timeout=${Math.floor(idleMs / 1000)}`;
    this.#timer = setInterval(() => this.#sweep(), idleMs / 10).unref();
  }

  /** Marks the beginning of a request, and tells its client how long the connection stays open. */
  use(socket: Socket, response: ServerResponse): void {
    const use = this.#uses.get(socket);
    if (!use) return;
    use.underWay++;
    if (response.shouldKeepAlive) response.setHeader('keep-alive', this.#keepAlive);
  }

  /** Marks the end of a request. */
  release(socket: Socket): void {
    const use = this.#uses.get(socket);
    if (!use) return;
    use.underWay--;
    use.since = performance.now();
    use.read = socket.bytesRead;
  }

  /** Ignores the connection from here on: it has become a WebSocket. */
  forget(socket: Socket): void {
    this.#uses.delete(socket);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sweep(): void {
    const longAgo = performance.now() - this.idleMs;
    for (const [socket, { underWay, since, read }] of this.#uses)
      if (underWay === 0 && since < longAgo && socket.bytesRead === read) socket.destroy();
  }
}
