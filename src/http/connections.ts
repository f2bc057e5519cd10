import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bear } from './answer.js';

interface Use {
  underWay: number;
  /** When the last answer left, or the connection was made. */
  since: number;
  /** Bytes that had come by then. */
  read: number;
}

/**
 * Closes connections on which nobody has asked anything for some time. Node has a timer for that, which it sets at each answer
 * and clears at each request: 4 % of a proxied call. One look at all of them every few seconds costs nothing.
 */
export class Connections {
  readonly #uses = new Map<Socket, Use>();
  readonly #timer: NodeJS.Timeout;
  readonly #told: string;

  /** A connection is closed between `idleMs` and a tenth more after its last answer. */
  constructor(
    server: Server,
    private readonly idleMs: number,
  ) {
    server.keepAliveTimeout = 0;
    server.on('connection', (socket: Socket) => {
      this.#uses.set(socket, { underWay: 0, since: performance.now(), read: 0 });
      socket.on('close', () => this.#uses.delete(socket));
    });
    this.#told = `timeout=${Math.floor(idleMs / 1000)}`;
    this.#timer = setInterval(() => this.#look(), idleMs / 10).unref();
  }

  /** A request has come, whose client is told how long its connection stays open. */
  use(socket: Socket, response: ServerResponse): void {
    const use = this.#uses.get(socket);
    if (!use) return;
    use.underWay++;
    if (response.shouldKeepAlive) bear(response, 'keep-alive', this.#told);
  }

  /** Its answer has left, or will not. */
  release(socket: Socket): void {
    const use = this.#uses.get(socket);
    if (!use) return;
    use.underWay--;
    use.since = performance.now();
    use.read = socket.bytesRead;
  }

  /** From here on somebody else looks after it. */
  leave(socket: Socket): void {
    this.#uses.delete(socket);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const longAgo = performance.now() - this.idleMs;
    for (const [socket, { underWay, since, read }] of this.#uses)
      if (underWay === 0 && since < longAgo && socket.bytesRead === read) socket.destroy();
  }
}
