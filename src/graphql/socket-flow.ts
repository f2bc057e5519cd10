import type { WebSocket } from 'ws';

/** Unread bytes of a socket above which its subscriptions read nothing further. */
const PAUSE_BYTES = 1_048_576;
/** Unread bytes above which a socket gets nothing more: it is closed. */
const MOST_BYTES = 16 * 1_048_576;

/** By the registry of IANA: try again later. */
export const TRY_AGAIN_LATER = 1013;

/** What waits in one socket for a client that reads more slowly than it is told. */
export class SocketFlow {
  readonly #waiting = new Set<() => void>();
  #isOver = false;

  constructor(private readonly socket: WebSocket) {
    // Pings of a client that reads no answer would pile those up.
    socket.on('ping', data => {
      if (this.#hasRoom) socket.pong(data);
    });
    socket.once('close', () => {
      this.#isOver = true;
      this.#release();
    });
  }

  /** Resolves when the client can be told more. */
  room(): Promise<void> {
    if (this.#isOver || this.#hasRoom) return Promise.resolve();
    return new Promise(resolve => this.#waiting.add(resolve));
  }

  /** Resolves when the text is on its way: in the hands of the system. A socket that holds too much is closed instead. */
  send(text: string): Promise<void> {
    const { socket } = this;
    if (socket.readyState !== socket.OPEN) return Promise.resolve();
    if (socket.bufferedAmount > MOST_BYTES) {
      socket.close(TRY_AGAIN_LATER, 'Too much is unread. Resume after the last sequence or cursor.');
      return Promise.resolve();
    }
    return new Promise((resolve, reject) =>
      socket.send(text, error => {
        if (this.#waiting.size > 0 && this.#hasRoom) this.#release();
        if (error) reject(error);
        else resolve();
      }),
    );
  }

  get #hasRoom(): boolean {
    return this.socket.bufferedAmount <= PAUSE_BYTES;
  }

  #release(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
